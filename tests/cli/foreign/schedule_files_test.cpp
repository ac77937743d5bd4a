// --schedule-files of weft compare and weft degrade: schedules from files beside algorithms.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

class ScheduleFiles : public testing::Test {
 protected:
  void SetUp() override {
    answer("schedule allreduce -t ring:6 -a ring -o " + weft_);
    answer("export " + weft_ + " --to msccl --profile rccl -o " + xml_);
  }

  static json answer(const std::string& line) {
    const auto ran = run_weft(words_of(line + " --json"));
    EXPECT_EQ(ran.code, 0) << line << '\n' << ran.err;
    return ran.code == 0 ? json::parse(ran.out) : json();
  }

  // One line that says why, and nothing else.
  static void refuses(const std::string& line, int code, const std::string& reason) {
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, code) << line << '\n' << ran.err;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_NE(ran.err.find(reason), std::string::npos) << line << '\n' << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }

  std::string both() const { return weft_ + "," + xml_; }

  ScratchFolder folder_;
  std::string weft_ = folder_.path("mine.weft"), xml_ = folder_.path("theirs.xml");
};

TEST_F(ScheduleFiles, have_the_rows_of_the_algorithm_that_made_them) {
  const json found = answer("compare allreduce -t ring:6 --sizes 1KiB:1MiB -a ring,bfb --effort " +
                            ("full --schedule-files " + both()));
  ASSERT_EQ(found["algorithms"].size(), 4U);
  EXPECT_EQ(found["algorithms"][0]["file"], nullptr);
  EXPECT_EQ(found["algorithms"][2]["algorithm"], "mine");
  EXPECT_EQ(found["algorithms"][2]["file"], weft_);
  EXPECT_EQ(found["algorithms"][3]["algorithm"], "theirs");
  EXPECT_EQ(found["algorithms"][3]["file"], xml_);
  const auto rows = [&](const std::string& algorithm) {
    std::vector<std::pair<std::int64_t, double>> times;
    for (const json& row : found["rows"])
      if (row["algorithm"] == algorithm) times.emplace_back(row["size"], row["time"]);
    return times;
  };
  EXPECT_EQ(rows("ring").size(), 11U);
  EXPECT_EQ(rows("mine"), rows("ring"));
  EXPECT_EQ(rows("theirs"), rows("ring"));
  for (const json& algorithm : found["algorithms"]) {
    if (algorithm["algorithm"] == "bfb") continue;
    EXPECT_EQ(algorithm["steps"], found["algorithms"][0]["steps"]);
    EXPECT_EQ(algorithm["bandwidth_factor"], found["algorithms"][0]["bandwidth_factor"]);
  }
}

TEST_F(ScheduleFiles, take_the_time_that_simulate_tells) {
  const std::string setting = " -t torus:2x3 --link 10GBps,1us --alpha 2us --json --size 1MiB";
  const json row = answer("compare allreduce -a none --schedule-file " + xml_ + setting)["rows"][0];
  EXPECT_EQ(row["algorithm"], "theirs");
  EXPECT_TRUE(row["best"]);
  EXPECT_EQ(row["time"], answer("simulate " + xml_ + setting)["time"]);
}

TEST_F(ScheduleFiles, are_compared_alone_or_with_the_algorithms_that_are_named) {
  const std::string line = "compare allreduce -t ring:6 --sizes 1MiB --schedule-files " + both();
  EXPECT_EQ(answer(line + " -a none")["algorithms"].size(), 2U);
  EXPECT_EQ(answer(line + " -a bfb")["algorithms"].size(), 3U);
  EXPECT_GT(answer(line)["algorithms"].size(), 5U);
  EXPECT_EQ(answer("compare allreduce -t ring:6 --sizes 1MiB -a none --schedule-files " + weft_ +
                   " --schedule-files " + xml_)["algorithms"]
                .size(),
            2U);
}

TEST_F(ScheduleFiles, have_their_path_for_a_name_that_is_taken) {
  const ScratchFolder other;
  const std::string ring = folder_.path("Ring.weft"), twin = other.path("mine.xml");
  answer("schedule allreduce -t ring:6 -a ring -o " + ring);
  answer("export " + weft_ + " --to msccl -o " + twin);
  const json found = answer("compare allreduce -t ring:6 --sizes 1MiB -a none --schedule-files " +
                            weft_ + "," + ring + "," + twin);
  std::vector<std::string> names;
  for (const json& each : found["algorithms"]) names.push_back(each["algorithm"]);
  EXPECT_EQ(names, (std::vector{weft_, ring, twin}));
}

TEST_F(ScheduleFiles, are_refused_where_they_do_not_fit) {
  const std::string on = " --schedule-files " + both();
  refuses("compare allgather -t ring:6" + on, 2,
          "is a schedule of allreduce of 6 ranks, but the comparison is for allgather of 6 ranks; "
          "leave it out");
  refuses("compare allreduce -t ring:8" + on, 2,
          "but the comparison is for allreduce of 8 ranks; leave it out");
  refuses("degrade allgather -t ring:6" + on, 2, "is a schedule of allreduce");
  refuses("compare allreduce -t ring:6 --schedule-files " + weft_ + "," + weft_, 2, "repeats");
  refuses("compare allreduce -t ring:6 --schedule-files nowhere.weft", 2, "nowhere.weft");
  refuses("compare allreduce -t ring:6 -a none", 2, "name schedules with --schedule-files");
  refuses("compare allreduce -t ring:6 -a none,ring" + on, 2, "none");
  refuses("compare allreduce -t ring:6 --steps 3..5" + on, 2, "--steps");
  refuses("degrade allreduce -t ring:6 --schedules rebuilt" + on, 2, "leave one of the two out");
  const std::string program = folder_.path("program.weft");
  answer("export " + weft_ + " --to goal --size 1MiB -o " + folder_.path("a.goal"));
  answer("import " + folder_.path("a.goal") + " -o " + program);
  refuses("compare allreduce -t ring:6 --schedule-files " + program, 2,
          "is a program, not a schedule");
  const std::string trees = folder_.path("trees.weft");
  answer("schedule allreduce -t leaf-spine:leaves=2,spines=1,hosts=3 -a switch-tree -o " + trees);
  refuses("compare allreduce -t ring:6 --schedule-files " + trees, 2, "has helpers on nodes of");
}

TEST_F(ScheduleFiles, that_are_proved_wrong_end_with_code_1) {
  std::string text = weft::test::read_text(xml_);
  const std::size_t at = text.find("type=\"rrs\"");
  ASSERT_NE(at, std::string::npos);
  const std::string wrong = folder_.file("wrong.xml", text.replace(at, 10, "type=\"r\""));
  for (const char* command : {"compare", "degrade"})
    refuses(std::string(command) + " allreduce -t ring:6 --schedule-files " + wrong, 1,
            ": unpaired: rank 1, thread block 0, step ");
}

TEST_F(ScheduleFiles, are_kept_past_failures_and_never_made_anew) {
  const json cables =
      answer("degrade allreduce -t torus:2x3 -a ring --size 1MiB --schedule-files " + both());
  ASSERT_EQ(cables["algorithms"].size(), 3U);
  const json &ring = cables["algorithms"][0], &file = cables["algorithms"][2];
  EXPECT_EQ(ring["file"], nullptr);
  EXPECT_EQ(file["file"], xml_);
  EXPECT_GT(file["kept"], 0);
  for (const char* key : {"time", "kept", "mean_slowdown", "worst_slowdown", "worst"})
    EXPECT_EQ(file[key], ring[key]) << key;
  const json nodes = answer(
      "degrade allreduce -t torus:2x3 -a none --size 1MiB --nodes all --schedule-files " + xml_);
  EXPECT_EQ(nodes["algorithms"][0]["kept"], 0);
  EXPECT_EQ(nodes["algorithms"][0]["rebuilt"], 0);
  EXPECT_EQ(nodes["algorithms"][0]["impossible"], 6);
  EXPECT_EQ(nodes["rows"][0]["reason"], "a schedule from a file cannot be built again");
}

}  // namespace
