// weft import, verify and simulate of an MSCCL++ plan: what they print and exit with.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

class MscclppCommands : public testing::Test {
 protected:
  void SetUp() override {
    schedule_ = folder_.path("ring.weft");
    plan_ = folder_.path("plan.json");
    ASSERT_EQ(run_weft(words_of("schedule allreduce -t ring:4 -a ring -q -o " + schedule_)).code,
              0);
    ASSERT_EQ(run_weft(words_of("export " + schedule_ + " --to mscclpp -q -o " + plan_)).code, 0);
  }

  // The plan with the first `from` replaced.
  std::string broken(const std::string& from, const std::string& to) {
    std::string text = read_text(plan_);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return folder_.file("broken.json", text.replace(at, from.size(), to));
  }

  ScratchFolder folder_;
  std::string schedule_, plan_;
};

TEST_F(MscclppCommands, a_right_plan_is_right_and_comes_back) {
  const auto checked = run_weft(words_of("import " + plan_ + " --verify --json"));
  EXPECT_EQ(checked.code, 0);
  const json answer = json::parse(checked.out);
  EXPECT_EQ(answer["format"], "mscclpp");
  EXPECT_EQ(answer["right"], true);
  EXPECT_EQ(answer["result_checked"], true);
  const std::string back = folder_.path("back.weft");
  EXPECT_EQ(run_weft(words_of("import " + plan_ + " -q -o " + back)).code, 0);
  EXPECT_EQ(run_weft(words_of("verify " + back)).code, 0);
  // The messages and steps are those of the schedule, and so is the time.
  const std::string how = " -t ring:4 --size 1MiB --json";
  const json from_plan = json::parse(run_weft(words_of("simulate " + plan_ + how)).out);
  const json from_schedule = json::parse(run_weft(words_of("simulate " + schedule_ + how)).out);
  EXPECT_DOUBLE_EQ(from_plan["time"].get<double>(), from_schedule["time"].get<double>());
  EXPECT_EQ(from_plan["messages"], from_schedule["messages"]);
}

TEST_F(MscclppCommands, a_wrong_plan_gives_its_counterexample_and_exit_1) {
  // The first nop keeps the put behind the wait for the other GPU's entry.
  const auto ran = run_weft(
      words_of("import " + broken("{\"name\":\"nop\"},", "") + " --from mscclpp --verify"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find(": fault: early: rank 0, thread block 0, operation 2 (put)"),
            std::string::npos)
      << ran.out;
  const std::string none = folder_.path("none.weft");
  EXPECT_EQ(run_weft(words_of("import " + folder_.path("broken.json") + " -o " + none)).code, 1);
}

TEST_F(MscclppCommands, wrong_content_is_a_finding_and_text_that_is_no_plan_exits_with_2) {
  const std::string file = broken("\"nop\"", "\"nope\"");
  const auto ran = run_weft(words_of("import " + file + " --verify --json"));
  EXPECT_EQ(ran.code, 1);
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["faults"], 1);
  EXPECT_TRUE(answer["ranks"].is_null());
  const json finding = answer["findings"][0];
  EXPECT_EQ(finding["kind"], "content");
  EXPECT_EQ(finding["rank"], 0);
  EXPECT_EQ(finding["block"], 0);
  EXPECT_EQ(finding["step"], 2);
  EXPECT_EQ(finding["text"],
            "rank 0, thread block 0, operation 2 (gpus[0].threadblocks[0].ops[2].name): unknown "
            "operation 'nope'");
  const auto imported = run_weft(words_of("import " + file + " -o " + folder_.path("x.weft")));
  EXPECT_EQ(imported.code, 2);
  EXPECT_NE(imported.err.find("gpus[0].threadblocks[0].ops[2].name: unknown operation 'nope'"),
            std::string::npos)
      << imported.err;
  const std::string text = folder_.file("text.json", "{\"gpus\"");
  EXPECT_EQ(run_weft(words_of("import " + text + " --verify")).code, 2);
  EXPECT_EQ(run_weft(words_of("import " + plan_ + " --fix -o x.json")).code, 2);
  EXPECT_EQ(
      run_weft(words_of("export " + schedule_ + " --to mscclpp --channel cable -o x.json")).code,
      2);
  EXPECT_EQ(run_weft(words_of("export " + schedule_ + " --to msccl --channel port -o x.xml")).code,
            2);
}

}  // namespace
