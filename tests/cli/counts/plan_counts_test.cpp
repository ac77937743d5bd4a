// weft plan --counts: ranges for calls with exactly these block sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/process/answer.hpp"
#include "support/process/command_test.hpp"

namespace {

using nlohmann::json;
using weft::test::answer_of;
using weft::test::run_weft;
using weft::test::words_of;

class PlanCounts : public weft::test::CommandTest {
 protected:
  std::string plan() const { return folder_.path("a.plan"); }
  json made(const std::string& options) { return answer_of("plan -o " + plan() + ' ' + options); }
};

// A one-way ring at 1 GB/s: the block of 8 KB makes three hops of 8 us.
TEST_F(PlanCounts, of_a_file_are_the_bytes_of_the_calls) {
  const std::string counts = file("row.txt", "8000 1000 1000 1000\n");
  const json answer = made(
      "-t uniring:4 --link 8Gbps,0s -a ring --collectives allgatherv,reduce-scatterv --counts " +
      counts);
  ASSERT_EQ(answer["ranges"].size(), 2u);
  const json& gather = answer["ranges"][0];
  EXPECT_EQ(gather["collective"], "allgatherv");
  EXPECT_EQ(gather["counts"], counts);
  EXPECT_EQ(gather["block_sizes"], (std::vector{8000, 1000, 1000, 1000}));
  EXPECT_EQ(gather["from"], 2750);  // the mean block
  EXPECT_EQ(gather["to"], 2750);
  EXPECT_NEAR(gather["time"].get<double>(), 24e-6, 1e-12);
  // A reduce-scatter is an allgather backwards: its sums of 8 KB make as many hops.
  const json& scatter = answer["ranges"][1];
  EXPECT_EQ(scatter["collective"], "reduce-scatterv");
  EXPECT_EQ(scatter["from"], 11000);  // the whole input
  EXPECT_NEAR(scatter["time"].get<double>(), 24e-6, 1e-12);
  EXPECT_EQ(json::parse(run_weft({"plan", "show", plan(), "--json"}).out)["ranges"],
            answer["ranges"]);
  EXPECT_EQ(run_weft({"plan", "check", plan()}).code, 0);
}

// Rows are senders. Each pair of ranks has links of its own, so the largest block, of 5000 bytes,
// decides; what ranks keep (9000 bytes) crosses no link.
TEST_F(PlanCounts, of_alltoallv_are_a_matrix) {
  const std::string counts = file("matrix.txt", "9000 0 8\n5000 0 0\n16 24 0\n");
  const json answer =
      made("-t complete:3 --link 8Gbps,0s --collectives alltoallv --counts " + counts);
  ASSERT_EQ(answer["ranges"].size(), 1u);
  EXPECT_EQ(answer["ranges"][0]["block_sizes"], (std::vector{9000, 0, 8, 5000, 0, 0, 16, 24, 0}));
  EXPECT_NEAR(answer["ranges"][0]["time"].get<double>(), 5e-6, 1e-9);
}

// Blocks of both collectives as in the two tests above, each from its own file: on a complete
// graph each block has a link of its own, so the largest one that moves decides, 8 us for 8000
// bytes and 5 us for 5000.
TEST_F(PlanCounts, of_several_collectives_are_each_their_own) {
  const std::string matrix = file("matrix.txt", "9000 0 8\n5000 0 0\n16 24 0\n"),
                    row = file("row.txt", "8000 1000 1000\n");
  const json answer = made(
      "-t complete:3 --link 8Gbps,0s --collectives alltoallv,allgatherv -a direct,spread "
      "--counts alltoallv=" +
      matrix + " --counts all-gather-v=" + row);
  ASSERT_EQ(answer["ranges"].size(), 2u);
  for (const json& range : answer["ranges"]) {
    const bool is_pairs = range["collective"] == "alltoallv";
    EXPECT_EQ(range["counts"], is_pairs ? matrix : row);
    EXPECT_EQ(range["block_sizes"].size(), is_pairs ? 9u : 3u);
    EXPECT_NEAR(range["time"].get<double>(), is_pairs ? 5e-6 : 8e-6, 1e-9);
  }
  // A value without a name serves those that no other one names.
  const json rest = made(
      "-t complete:3 --collectives alltoallv,allgatherv,reduce-scatterv "
      "--counts alltoallv=" +
      matrix + " --counts " + row);
  EXPECT_EQ(rest["ranges"].size(), 3u);
}

// Sizes share the counts out: at each the blocks have 8, 1, 1 and 1 parts of four times the size.
TEST_F(PlanCounts, are_shared_out_at_sizes) {
  const json answer =
      made("-t ring:4 --collectives allgatherv,allgather --sizes 1100B,11000B --counts " +
           file("row.txt", "8,1,1,1"));
  std::vector<json> unequal;
  for (const json& range : answer["ranges"]) {
    EXPECT_EQ(range["counts"].is_null(), range["collective"] == "allgather");
    if (range["collective"] == "allgatherv") unequal.push_back(range);
  }
  ASSERT_EQ(unequal.size(), 2u);
  EXPECT_EQ(unequal[0]["block_sizes"], (std::vector{3200, 400, 400, 400}));
  EXPECT_EQ(unequal[1]["block_sizes"], (std::vector{32000, 4000, 4000, 4000}));
}

// The fastest of all algorithms is the one that compare finds.
TEST_F(PlanCounts, choose_as_compare_does) {
  const std::string on = " -t torus:3x3 --link 100Gbps,1us --counts zipf:1.5 --sizes 64KiB ";
  const json plan = made("--collectives allgatherv" + on);
  const json compared = answer_of("compare allgatherv" + on);
  double least_s = 1;
  for (const json& row : compared["rows"])
    if (row["time"].is_number()) least_s = std::min(least_s, row["time"].get<double>());
  // Compare may use explicit paths, which MPI processes cannot choose.
  EXPECT_GE(plan["ranges"][0]["time"].get<double>(), least_s * (1 - 1e-9));
  EXPECT_LT(plan["ranges"][0]["time"].get<double>(), least_s * 1.5);
}

TEST_F(PlanCounts, are_named_as_exact) {
  const std::string line = "plan -t ring:3 --collectives allgatherv --sizes 1KiB -o " + plan();
  const auto drawn = run_weft(words_of(line + " --counts zipf:1"));
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_NE(drawn.err.find("run only in calls with exactly these block sizes, which are random"),
            std::string::npos)
      << drawn.err;
}

// A file leaves nothing to draw.
TEST_F(PlanCounts, of_a_file_have_no_seed) {
  const std::string row = file("row.txt", "1 2 3\n"), note = "--seed does not change";
  for (const std::string& command :
       {"plan --collectives allgatherv -o " + plan(), std::string("compare allgatherv"),
        std::string("simulate allgatherv -a ring")}) {
    const std::string line = command + " -t ring:3 --counts ";
    const auto notes = [&](const std::string& rest) { return run_weft(words_of(line + rest)).err; };
    EXPECT_NE(notes(row + " --seed 2").find(note), std::string::npos) << line;
    EXPECT_EQ(notes(row).find(note), std::string::npos) << line;
    EXPECT_EQ(notes("zipf:1 --seed 2").find(note), std::string::npos) << line;
  }
  (void)made("-t ring:3 --collectives allgatherv --counts " + row);
  EXPECT_EQ(run_weft({"plan", "show", plan()}).out.find("seed"), std::string::npos);
}

TEST_F(PlanCounts, are_refused_in_one_line) {
  const std::string on = "plan -t ring:3 -o " + plan() + " --collectives ";
  for (const auto& [line, says] : std::vector<std::pair<std::string, std::string>>{
           {on + "alltoallv", "alltoallv needs the sizes of its blocks; give --counts FILE"},
           {on + "allreduce --counts zipf:1", "add one of them to --collectives"},
           {on + "all --counts zipf:1", "add one of them to --collectives"},
           {on + "allgatherv,allgather-v --counts zipf:1", "allgatherv is repeated"},
           {on + "allgatherv --counts moe:1,1", "tokens apply only to alltoallv"},
           {on + "allgatherv --counts " + file("two.txt", "1 2"), "needs 3"},
           {on + "alltoallv,allgatherv --counts " + file("row.txt", "1 2 3"),
            "--counts alltoallv=FILE gives alltoallv sizes of its own"},
           {on + "alltoallv,allgatherv --counts alltoallv=zipf:1", "give --counts allgatherv=FILE"},
           {on + "alltoallv --counts alltoallv=zipf:1 --counts allgatherv=zipf:1",
            "--collectives does not have allgatherv"},
           {on + "alltoallv --counts alltoallv=zipf:1 --counts zipf:1", "names each collective"},
           {on + "alltoallv --counts zipf:1 --counts zipf:2", "are given twice"},
           {on + "alltoallv --counts alltoallv=zipf:1 --counts alltoall_v=zipf:1",
            "counts give alltoallv twice"},
           {on + "alltoallv --counts alltoall=zipf:1", "'alltoall' is not alltoallv"},
           {on + "alltoallv --counts alltoallv=", "name no file"},
           {on + "nonsense", "allgatherv, reduce-scatterv, alltoallv"},
           {on + "allgather-vv", "did you mean allgatherv"},
           {"plan show x.plan --counts zipf:1", "on an existing plan"}}) {
    expect_refused(line, says);
    EXPECT_FALSE(std::filesystem::exists(plan())) << line;
  }
}

}  // namespace
