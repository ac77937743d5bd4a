// Workload files of SimAI as traces: the order of SimAI's reader, and its groups.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/format/simai_workload.hpp"

namespace weft::format {
namespace {

constexpr const char* kHead =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 1 ga: 1 "
    "all_gpus: 8 checkpoints: 0 checkpoint_initiates: 0\n";

// The second layer sends tokens to experts; nothing is summed of its weights among all replicas.
const std::string kText = std::string(kHead) +
                          "2\n"
                          "a -1 10 ALLREDUCE 600 20 ALLREDUCE 600 30 ALLREDUCE 1000 5\n"
                          "b -1 11 ALLTOALL_EP 800 21 ALLGATHER 900 31 REDUCESCATTER_DP_EP 70 0\n";

std::string refusal(const std::string& text) {
  try {
    read_simai_workload(text, "f");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(SimaiWorkload, runs_forward_and_back_as_simai_does) {
  ASSERT_TRUE(is_simai_workload(kText));
  const Trace trace = read_simai_workload(kText, "f");
  ASSERT_EQ(trace.ranks.size(), 8U);
  const RankTrace& rank = trace.ranks[5];
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;  // nanoseconds and bytes
  std::vector<std::vector<std::int32_t>> waits;
  for (const TraceNode& node : rank.nodes) {
    parts.emplace_back(node.duration_ps / 1000, node.bytes);
    const auto after = rank.waits_of(node);
    waits.emplace_back(after.begin(), after.end());
  }
  // A rank brings half of what tensor groups of two gather.
  EXPECT_EQ(parts, (std::vector<std::pair<std::int64_t, std::int64_t>>{{10, 0},
                                                                       {0, 600},
                                                                       {11, 0},
                                                                       {0, 800},
                                                                       {21, 0},
                                                                       {0, 450},
                                                                       {31, 0},
                                                                       {0, 70},
                                                                       {20, 0},
                                                                       {0, 600},
                                                                       {30, 0},
                                                                       {0, 1000},
                                                                       {5, 0}}));
  // The sum of b's weights (7) is waited for by nobody.
  EXPECT_EQ(waits, (std::vector<std::vector<std::int32_t>>{
                       {}, {0}, {1}, {2}, {3}, {4}, {5}, {6}, {6}, {8}, {9}, {10}, {11}}));
  EXPECT_EQ(rank.name_of(rank.nodes[4]), "gradients of inputs b");
}

// Rank 5 is the second of tensor group 2; replicas 0 and 1 share experts, and so do 2 and 3.
TEST(SimaiWorkload, has_the_groups_of_its_first_line) {
  const Trace trace = read_simai_workload(kText, "f");
  const auto ranks_of = [&](std::size_t node) {
    return trace.groups[static_cast<std::size_t>(trace.ranks[5].nodes[node].group.value())].ranks;
  };
  using Ranks = std::vector<std::int32_t>;
  EXPECT_EQ(ranks_of(1), (Ranks{4, 5}));
  EXPECT_EQ(ranks_of(3), (Ranks{5, 7}));
  EXPECT_EQ(ranks_of(7), (Ranks{1, 5}));
  EXPECT_EQ(ranks_of(11), (Ranks{1, 3, 5, 7}));
}

TEST(SimaiWorkload, leaves_out_what_one_rank_does_alone) {
  const Trace trace = read_simai_workload(
      "HYBRID_TRANSFORMER model_parallel_NPU_group: 1 all_gpus: 2\n1\n"
      "a -1 10 ALLREDUCE 600 0 NONE 0 30 ALLREDUCE 1000 0\n",
      "f");
  EXPECT_EQ(trace.ranks[0].nodes.size(), 3U);
}

TEST(SimaiWorkload, refuses_what_it_cannot_run) {
  const auto with = [](const std::string& before, const std::string& after) {
    std::string text = kText;
    return refusal(text.replace(text.find(before), before.size(), after));
  };
  for (const auto& [said, expected] : std::vector<std::pair<std::string, std::string>>{
           {refusal("MICRO all_gpus: 2\n1\n"),
            "is not a supported workload file of SimAI: its first line must"},
           {with("pp: 1", "pp: 2"), "f:1: pp: is 2; pipelines are not"},
           {with("checkpoints: 0", "checkpoints: 1"), "f:1: checkpoints: is 1"},
           {with("ep: 2", "ep: 3"),
            "f:1: 4 replicas are not a multiple of the 3 that share experts"},
           {with("NPU_group: 2", "NPU_group: 3"),
            "f:1: 8 ranks are not a multiple of the 3 of a tensor group"},
           {with("\n2\n", "\n3\n"), "f:2: 3 layers are announced, but 2 follow"},
           {with(" 5\n", "\n"), "f:3: a layer has 12 words, but this line has 11"},
           {with("ALLTOALL_EP", "ALLREDUCEALLTOALL"),
            "f:4: unknown collective 'ALLREDUCEALLTOALL'"},
           {with("ALLTOALL_EP", "ALLTOALL_TP"), "f:4: unknown collective 'ALLTOALL_TP'"},
           {refusal(kHead), "f:1: the number of layers is missing"},
           {with("all_gpus: 8", "gpus: 8"), "all_gpus: is missing"}})
    EXPECT_NE(said.find(expected), std::string::npos) << expected << '\n' << said;
}

}  // namespace
}  // namespace weft::format
