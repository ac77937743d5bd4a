// weft simulate --together: what it prints, and what it refuses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

// Each GPU of a box sends to that of another box; two share a card of 100 Gb/s, which 500 MB take
// 40 ms to cross.
class TogetherCommand : public testing::Test {
 protected:
  std::string line(const std::string& more) const {
    return "simulate --together " + path_ +
           " -t \"boxes(2, network:dgx-1)\" --machine ideal --latency 0s " + more;
  }

  ScratchFolder folder_;
  std::string path_ = folder_.file("pairs.toml",
                                   "[[call]]\nname = \"pair\"\nranks = [0, 8]\ncopies = 8\nstride "
                                   "= 1\ncollective = \"point-to-point\"\nsize = \"500MB\"\n");
};

TEST_F(TogetherCommand, prints_the_times_of_each_call) {
  const Ran text = run_weft(words_of(line("--links top:2")));
  ASSERT_EQ(text.code, 0) << text.err;
  for (const std::string says :
       {"calls         8 of ", "speeds        ideal machine: ", "makespan      80.00ms\n",
        "busiest link  ", "100.0% busy\n",
        "pair.7  point-to-point      2  direct     500000000B     0s  80.00ms  80.00ms  40.00ms",
        "utilisation"})
    EXPECT_NE(text.out.find(says), std::string::npos) << says << text.out;
}

TEST_F(TogetherCommand, gives_the_same_as_json) {
  const Ran ran = run_weft(words_of(line("--json")));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_NEAR(answer["makespan"], 80e-3, 1e-12);
  EXPECT_NEAR(answer["busiest_link"]["busy"], 80e-3, 1e-12);
  EXPECT_NEAR(answer["busiest_link"]["utilisation"], 1, 1e-9);
  EXPECT_EQ(answer["speeds"]["machine"], "ideal");
  ASSERT_EQ(answer["calls"].size(), 8);
  const json& call = answer["calls"][3];
  EXPECT_EQ(call["name"], "pair.3");
  EXPECT_EQ(call["ranks"], (json{3, 11}));
  EXPECT_EQ(call["size"], 500'000'000);
  EXPECT_NEAR(call["time"], 80e-3, 1e-12);
  EXPECT_NEAR(call["time_alone"], 40e-3, 1e-12);
  EXPECT_NEAR(call["slowdown"], 2, 1e-9);
}

// Two messages of 10 MB from one leaf to the other have a spine each, 1 ms at 10 GB/s, or share
// one, 2 ms; half of all draws do.
TEST_F(TogetherCommand, repeats_the_run_over_seeds) {
  const std::string calls = folder_.file(
      "two.toml",
      "[[call]]\nranks = [0, 2]\ncopies = 2\nstride = 1\ncollective = \"point-to-point\"\n"
      "size = \"10MB\"\n");
  const std::string line = "simulate --together " + calls +
                           " -t leaf-spine:leaves=2,spines=2,hosts=2 --machine ideal "
                           "--link 10GBps,0s --seeds 20 ";
  const Ran ran = run_weft(words_of(line + "--routing ecmp --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json seeds = json::parse(ran.out)["seeds"];
  EXPECT_EQ(seeds["count"], 20);
  EXPECT_NEAR(seeds["max_time"], 2e-3, 1e-12);
  EXPECT_NEAR(seeds["p95_time"], 2e-3, 1e-12);
  EXPECT_NEAR(seeds["even_split"]["time"], 1e-3, 1e-12);
  const double median_s = seeds["median_time"];
  EXPECT_NEAR(median_s, median_s < 1.5e-3 ? 1e-3 : 2e-3, 1e-12);
  const Ran text = run_weft(words_of(line + "--routing ecmp"));
  EXPECT_NE(text.out.find("95th percentile 2.000ms, maximum 2.000ms"), std::string::npos)
      << text.out;
  const Ran refused = run_weft(words_of(line + "--routing shortest"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--seeds 20 has no effect with routing shortest"), std::string::npos)
      << refused.err;
}

TEST_F(TogetherCommand, refuses_what_the_file_says) {
  const auto expect_said = [](const std::string& words, const std::string& says) {
    const Ran ran = run_weft(words_of(words));
    EXPECT_EQ(ran.code, 2) << words << ran.out;
    EXPECT_NE(ran.err.find(says), std::string::npos) << words << ": " << ran.err;
  };
  expect_said(line("--size 1KiB"), "--size has no effect with --together");
  expect_said(line("--algorithm ring"), "--algorithm has no effect with --together");
  expect_said(line("allreduce"), "schedule has no effect with --together");
  expect_said(line("--model packet"), "--together needs the fluid model; leave out --model");
  expect_said("simulate --together " + path_, "--together needs a network; give --topology");
  expect_said("simulate --together " + path_ + " -t ring:4",
              "pairs.toml:3: rank 8 does not exist; ranks are 0 to 3");
  expect_said("simulate --together no.toml -t ring:4", "no.toml");
  expect_said("simulate -t ring:4", "SCHEDULE is required; see weft simulate --help, or give");
  const std::string misfit =
      folder_.file("misfit.toml",
                   "[[call]]\nranks = \"0-2\"\ncollective = \"allreduce\"\nalgorithm = "
                   "\"bruck\"\nsize = \"1KiB\"\n");
  expect_said("simulate --together " + misfit + " -t ring:4", "misfit.toml:1: bruck");
}

}  // namespace
}  // namespace weft::test
