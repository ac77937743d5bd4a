// MSCCL XML where commands take a schedule: the same answers as of the schedule that it came from.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

class CollectiveFile : public testing::Test {
 protected:
  void SetUp() override {
    answer("schedule allreduce -t ring:6 -a ring -o " + weft_);
    answer("export " + weft_ + " --to msccl --profile rccl -o " + xml_);
  }

  static json answer(const std::string& line, int code = 0) {
    const auto ran = run_weft(words_of(line + " --json"));
    EXPECT_EQ(ran.code, code) << line << '\n' << ran.err;
    return json::parse(ran.out);
  }

  // The file with a text in place of another; the path.
  std::string changed(const std::string& before, const std::string& after) const {
    std::string text = weft::test::read_text(xml_);
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return folder_.file("changed.xml", text.replace(at, before.size(), after));
  }

  ScratchFolder folder_;
  std::string weft_ = folder_.path("ring.weft"), xml_ = folder_.path("ring.xml");
};

TEST_F(CollectiveFile, is_simulated_and_priced_as_the_schedule) {
  const std::string simulate = "simulate {} -t ring:6 --size 16MiB", cost = "cost {} -t ring:6";
  const auto of = [](std::string line, const std::string& file) {
    return answer(line.replace(line.find("{}"), 2, file));
  };
  for (const char* key : {"collective", "ranks", "steps", "messages", "time", "size"})
    EXPECT_EQ(of(simulate, xml_)[key], of(simulate, weft_)[key]) << key;
  for (const char* key : {"steps", "bandwidth_factor", "messages", "max_link_load"})
    EXPECT_EQ(of(cost, xml_)[key], of(cost, weft_)[key]) << key;
  EXPECT_EQ(answer("verify " + xml_)["verified"], true);
  EXPECT_EQ(
      answer("draw --schedule " + xml_ + " -t ring:6 -o " + folder_.path("x.svg"))["busiest_link"],
      answer("draw --schedule " + weft_ + " -t ring:6 -o " +
             folder_.path("w.svg"))["busiest_link"]);
}

TEST_F(CollectiveFile, simulated_outside_of_its_sizes_gives_a_note) {
  answer("export " + weft_ + " --to msccl --min-size 6KiB --max-size 1MiB -o " + xml_);
  const auto note_at = [&](const std::string& size) {
    return run_weft(words_of("simulate " + xml_ + " -t ring:6 --size " + size)).err;
  };
  EXPECT_EQ(note_at("6KiB"), "");
  EXPECT_EQ(note_at("3KiB"),
            "note: readers do not use this file at this size: the larger user buffer is 3KiB, and "
            "minBytes is 6KiB\n");
  EXPECT_EQ(note_at("3MiB"),
            "note: readers do not use this file at this size: the larger user buffer is 3MiB, and "
            "maxBytes is 1MiB\n");
  const std::string plan = folder_.path("plan.json");
  const std::string to_plan = "export " + weft_ + " --to mscclpp -o " + plan;
  answer(to_plan + " --max-size 1MiB");
  const auto ran = run_weft(words_of("simulate " + plan + " -t ring:6 --size 3MiB"));
  EXPECT_NE(ran.err.find("the input buffer is 3MiB, and max_message_size is "), std::string::npos)
      << ran.err;
  const auto large = run_weft(words_of(to_plan + " --max-size 8GiB"));
  EXPECT_EQ(large.code, 2);
  EXPECT_NE(large.err.find("--max-size 8589934592 is more than MSCCL++ can address with this plan"),
            std::string::npos)
      << large.err;
}

TEST_F(CollectiveFile, is_imported_as_a_schedule) {
  const std::string back = folder_.path("back.weft");
  const json imported = answer("import " + xml_ + " -o " + back);
  EXPECT_EQ(imported["kind"], "schedule");
  EXPECT_EQ(imported["collective"], "allreduce");
  EXPECT_EQ(imported["steps"], 10);
  EXPECT_TRUE(imported["note"].is_null());
  EXPECT_EQ(answer("verify " + back)["messages"], 60);
}

TEST_F(CollectiveFile, that_is_wrong_ends_in_1_with_its_fault) {
  const std::string wrong = changed("type=\"rrs\"", "type=\"r\"");
  const std::string fault =
      wrong +
      ":29: unpaired: rank 1, thread block 0, step 10 (r) receives message 10 from rank 0 on "
      "channel 0, and rank 0 sends only 9 there; weft import FILE --verify shows the order of "
      "events";
  EXPECT_EQ(answer("verify " + wrong, 1)["fault"]["text"], fault);
  EXPECT_EQ(answer("import " + wrong + " -o " + folder_.path("none.weft"), 1)["fault"], fault);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("none.weft")));
  for (const char* command : {"simulate ", "cost "}) {
    const auto ran = run_weft(words_of(command + wrong + " -t ring:6"));
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.err, "weft: " + fault + '\n');
  }
  for (const char* format : {"weft-run", "chakra"}) {
    const auto ran = run_weft(
        words_of("export " + wrong + " --to " + format + " -o " + folder_.path("none.out")));
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.err, "weft: " + fault + '\n');
    EXPECT_FALSE(std::filesystem::exists(folder_.path("none.out")));
  }
  const auto outside = run_weft(words_of("cost " + changed("cnt=\"1\"", "cnt=\"9\"")));
  EXPECT_EQ(outside.code, 2);  // a wrong value: the file cannot be read
  EXPECT_NE(outside.err.find("changed.xml:4: srcoff"), std::string::npos) << outside.err;
}

// Each of two ranks sends back what it received, as it came, and adds it to its own all the same.
std::string of_two_versions() {
  std::string text =
      R"(<algo name="twice" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" )"
      R"(coll="allreduce" inplace="1">)";
  for (const int rank : {0, 1}) {
    const std::string self = std::to_string(rank), peer = std::to_string(1 - rank);
    text += R"(<gpu id=")" + self +
            R"(" i_chunks="2" o_chunks="2" s_chunks="4"><tb id="0" send=")" + peer + R"(" recv=")" +
            peer + R"(" chan="0">)";
    const char* const steps[] = {R"(type="s" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0")",
                                 R"(type="r" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0")",
                                 R"(type="s" srcbuf="s" srcoff="0" dstbuf="s" dstoff="2")",
                                 R"(type="r" srcbuf="s" srcoff="0" dstbuf="s" dstoff="2")",
                                 R"(type="re" srcbuf="s" srcoff="0" dstbuf="i" dstoff="0")"};
    int number = 0;
    for (const char* step : steps)
      text += "<step s=\"" + std::to_string(number++) + "\" " + step +
              R"( cnt="2" depid="-1" deps="-1" hasdep="0"/>)";
    text += "</tb></gpu>";
  }
  return text + "</algo>";
}

TEST_F(CollectiveFile, that_no_schedule_can_say_is_a_program) {
  const std::string file = folder_.file("twice.xml", of_two_versions());
  const std::string why = "rank 0 adds two versions of one unit, and keeps both (unit 0)";
  const auto ran = run_weft(words_of("simulate " + file + " -t ring:2 --size 1KiB"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(
      ran.err.find("note: the file is simulated as a program, not as a schedule: " + why + '\n'),
      std::string::npos)
      << ran.err;
  EXPECT_EQ(answer("simulate " + file + " -t ring:2 --size 1KiB")["message_bytes"], 4096);
  const json imported = answer("import " + file + " -o " + folder_.path("twice.weft"));
  EXPECT_EQ(imported["kind"], "program");
  EXPECT_EQ(imported["note"], why);
  EXPECT_EQ(imported["proved"], true);
  EXPECT_EQ(answer("verify " + file)["verified"], true);
  const auto odd = run_weft(words_of("simulate " + file + " -t ring:2 --size 1023B"));
  EXPECT_EQ(odd.code, 2);
  EXPECT_EQ(odd.err, "weft: size 1023 is not a multiple of the 2 chunks of '" + file +
                         "'; use 1022 or 1024\n");
  EXPECT_EQ(run_weft(words_of("simulate " + file + " -t ring:2 --sync lockstep")).code, 2);
  EXPECT_EQ(run_weft(words_of("cost " + file + " -t ring:2")).code, 2);
}

}  // namespace
