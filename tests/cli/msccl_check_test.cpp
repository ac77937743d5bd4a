// weft import --verify and --fix: what they print, write and exit with.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

std::string example(const std::string& name) {
  return weft::test::source_dir() + "/examples/" + name;
}

// As docs/reference/answers.md says of a file that another command proves wrong.
TEST(MscclCheckCommand, simulating_a_file_that_hangs_is_one_line_and_exit_1) {
  for (const char* format : {"", " --json"}) {
    const auto ran = run_weft(words_of("simulate " + example("msccl/hang.xml") + format));
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("hang.xml:4: deadlock: "), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
}

TEST(MscclCheckCommand, a_wrong_file_gives_its_counterexample_and_exit_1) {
  const auto ran = run_weft(words_of("import " + example("msccl/hang.xml") + " --verify"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find(": fault: deadlock: "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\n  1. rank "), std::string::npos) << ran.out;
  const auto as_json =
      run_weft(words_of("import " + example("msccl/hang.xml") + " --verify --json"));
  EXPECT_EQ(as_json.code, 1);
  const json answer = json::parse(as_json.out);
  EXPECT_EQ(answer["right"], false);
  EXPECT_EQ(answer["findings"][0]["kind"], "deadlock");
  EXPECT_EQ(answer["findings"][0]["events"].size(), 2u);
}

TEST(MscclCheckCommand, repairs_write_a_right_file_or_none) {
  const ScratchFolder folder;
  const std::string fixed = folder.path("fixed.xml");
  const auto ran = run_weft(words_of("import " + example("msccl/race.xml") + " --fix -o " + fixed));
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_NE(ran.out.find("rank 0, thread block 1, step 0 now waits for thread block 0, step 0\n"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(run_weft(words_of("import " + fixed + " --from msccl --verify")).code, 0);
  const std::string none = folder.path("none.xml");
  const auto hang = run_weft(words_of("import " + example("msccl/hang.xml") + " --fix -o " + none));
  EXPECT_EQ(hang.code, 1);
  EXPECT_NE(hang.out.find("not repaired, nothing written"), std::string::npos) << hang.out;
  EXPECT_EQ(folder.files().size(), 1u);
}

TEST(MscclCheckCommand, limits_of_a_named_profile_count) {
  const ScratchFolder folder;
  std::string text = read_text(example("msccl/race.xml"));
  const std::string file = folder.file("a.xml", "<?xml version=\"1.0\"?>\n" + text);
  const std::string fixed = folder.path("fixed.xml");
  ASSERT_EQ(run_weft(words_of("import " + file + " --fix -q -o " + fixed)).code, 0);
  const std::string right = folder.file("b.xml", "<?xml version=\"1.0\"?>\n" + read_text(fixed));
  EXPECT_EQ(run_weft(words_of("import " + right + " --verify")).code, 0);
  const auto ran = run_weft(words_of("import " + right + " --verify --profile rccl"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find(":1: limit: text: "), std::string::npos) << ran.out;
}

// The example with a text in place of another.
std::string race_with(const std::string& before, const std::string& after) {
  std::string text = read_text(example("msccl/race.xml"));
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

TEST(MscclCheckCommand, wrong_content_is_a_finding_and_exits_with_1) {
  const ScratchFolder folder;
  const auto found = [&](const std::string& before, const std::string& after,
                         const std::string& kind, const std::string& why) {
    const std::string file = folder.file("wrong.xml", race_with(before, after));
    const auto ran = run_weft(words_of("import " + file + " --verify --json"));
    EXPECT_EQ(ran.code, 1) << ran.err;
    const json answer = json::parse(ran.out);
    EXPECT_EQ(answer["right"], false);
    EXPECT_EQ(answer["kinds"][0]["kind"], kind);
    const json first = answer["findings"][0];
    EXPECT_EQ(first["kind"], kind);
    EXPECT_GT(first["line"], 0);
    EXPECT_NE(first["text"].get<std::string>().find(why), std::string::npos) << first;
    const auto as_text = run_weft(words_of("import " + file + " --verify"));
    EXPECT_EQ(as_text.code, 1);
    const std::string line = file + ":" + first["line"].dump() + ": fault: " + kind + ": ";
    EXPECT_NE(as_text.out.find(line), std::string::npos) << as_text.out;
    const auto imported =
        run_weft(words_of("import " + file + " -o " + folder.path("none.weft") + " -q"));
    // Steps that wait for no step are proved wrong; other content cannot be read.
    EXPECT_EQ(imported.code, kind == "content" ? 2 : 1) << imported.err;
  };
  found("srcoff=\"0\"", "srcoff=\"7\"", "content", "ends at chunk 8 of buffer i");
  found("ngpus=\"2\"", "ngpus=\"3\"", "content", "the file has 2 <gpu>");
  found("<gpu id=\"1\"", "<gpu id=\"0\"", "content", "gpu 0 is also in line 2");
  found("<tb id=\"1\"", "<tb id=\"0\"", "content", "tb 0 is also in line 3");
  found("type=\"s\"", "type=\"send\"", "content", "unknown type 'send'; known: s");
  found("depid=\"-1\" deps=\"-1\"", "depid=\"9\" deps=\"0\"", "bad-dependency", "thread block 9");
}

TEST(MscclCheckCommand, a_file_that_cannot_be_read_ends_every_command_with_2_and_one_line) {
  const std::string text = read_text(example("msccl/allgather.xml"));
  const ScratchFolder folder;
  const auto ends_with_2 = [&](const std::string& wrong) {
    const std::string file = folder.file("wrong.xml", wrong);
    for (const std::string& command :
         {"verify " + file, "cost " + file + " -t ring:3",
          "import " + file + " -o " + folder.path("a.weft"),
          "simulate " + file + " -t ring:3 --size 1MiB",
          "compare allgather -t ring:3 --schedule-files " + file,
          "draw ring:3 --schedule " + file + " -o " + folder.path("a.svg"),
          "export " + file + " --to mscclpp -o " + folder.path("a.json"),
          "export " + file + " --to simgrid-trace -o " + folder.path("a")}) {
      const auto ran = run_weft(words_of(command));
      EXPECT_EQ(ran.code, 2) << command << ran.err;
      EXPECT_EQ(ran.out, "") << command;
      EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << command << ran.err;
      EXPECT_NE(ran.err.find(file + ":"), std::string::npos) << command << ran.err;
    }
  };
  const auto with = [&](const std::string& before, const std::string& after) {
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return std::string(text).replace(at, before.size(), after);
  };
  ends_with_2(text.substr(0, text.size() / 2));                  // cut off
  ends_with_2(with("type=\"", "type=\"x"));                      // no such step
  ends_with_2(with("nchunksperloop=\"", "nchunksperloop=\"x"));  // not a number
  ends_with_2(with("coll=\"", "coll=\"x"));                      // no such collective
}

TEST(MscclCheckCommand, findings_are_counted_by_kind) {
  // Two thread blocks write the same 30 chunks of the output.
  std::string text =
      R"(<algo name="many" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="1" coll="custom")"
      R"( inplace="0" outofplace="1" minBytes="0" maxBytes="0">)"
      R"(<gpu id="0" i_chunks="1" o_chunks="30" s_chunks="0">)";
  for (const char* block : {"0", "1"}) {
    text += std::string("<tb id=\"") + block + R"(" send="-1" recv="-1" chan="0">)";
    for (int s = 0; s < 30; ++s)
      text += "<step s=\"" + std::to_string(s) +
              R"(" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff=")" + std::to_string(s) +
              R"(" cnt="1" depid="-1" deps="-1" hasdep="0"/>)";
    text += "</tb>";
  }
  const ScratchFolder folder;
  const std::string file = folder.file("many.xml", text + "</gpu></algo>");
  const auto ran = run_weft(words_of("import " + file + " --verify"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("race 30 (first 20 shown)"), std::string::npos) << ran.out;
  const json answer = json::parse(run_weft(words_of("import " + file + " --verify --json")).out);
  // In either order, a copy of each pair does nothing.
  EXPECT_EQ(answer["kinds"], json::parse(R"([{"kind": "race", "count": 30, "shown": 20},
                                             {"kind": "unused-transfer", "count": 30, "shown": 20}])"));
  EXPECT_EQ(answer["findings"].size(), 40U);
  EXPECT_EQ(answer["findings_left_out"], 20);
}

TEST(MscclCheckCommand, the_headline_says_that_no_reader_runs_the_file) {
  const ScratchFolder folder;
  const std::string fixed = folder.path("fixed.xml");
  ASSERT_EQ(
      run_weft(words_of("import " + example("msccl/race.xml") + " --fix -q -o " + fixed)).code, 0);
  // The declaration is text that no reader of NCCL's parser takes.
  const std::string file =
      folder.file("declared.xml", "<?xml version=\"1.0\"?>\n" + read_text(fixed));
  const auto ran = run_weft(words_of("import " + file + " --verify"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out.find(file + ": correct in every interleaving, but no reader runs the file\n"),
            0U)
      << ran.out;
}

TEST(MscclCheckCommand, what_is_no_such_file_or_question_exits_with_2) {
  const ScratchFolder folder;
  const auto refused = [](const std::string& line, const std::string& why) {
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_NE(ran.err.find(why), std::string::npos) << ran.err;
  };
  const std::string hang = example("msccl/hang.xml");
  refused("import " + folder.file("a.xml", "<algo") + " --verify", "a.xml:1: ");
  refused("import " + hang + " --verify -o " + folder.path("b.xml"),
          "--verify writes no file; remove -o");
  refused("import " + hang + " --fix", "-o FIXED.xml");
  refused("import " + hang + " --verify --profile nccl", "unknown profile");
  refused("import " + hang + " --verify --from goal", "--from is goal");
  refused("import " + hang + " --verify --root 2", "has no root");
  refused("import " + example("nccl-topology.xml"), "the output file is missing; give -o FILE");
  refused("import " + example("nccl-topology.xml") + " --profile rccl -o x.json", "--verify");
}

}  // namespace
