#include "weft/graph/branchings.hpp"

#include <gtest/gtest.h>

#include <set>

#include "weft/base/random.hpp"
#include "weft/graph/max_flow.hpp"

namespace weft::graph {
namespace {

// Edmonds: as many as the least maximum flow from the root, for random graphs with parallel arcs
// and loops; each a tree of arcs that no other has.
TEST(DisjointBranchings, are_as_many_as_the_least_flow_allows) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const auto nodes = static_cast<std::int32_t>(2 + rng.below(8));
    Rows<std::int32_t> heads;
    std::vector<std::int32_t> tails;
    for (std::int32_t v = 0; v < nodes; ++v) {
      for (std::int64_t i = rng.below(5); i >= 0; --i) {
        heads.add(static_cast<std::int32_t>(rng.below(nodes)));
        tails.push_back(v);
      }
      heads.end_row();
    }
    const auto root = static_cast<std::int32_t>(rng.below(nodes));
    MaxFlow flow(nodes);
    for (std::size_t arc = 0; arc < tails.size(); ++arc)
      flow.add_arc(tails[arc], heads.values()[arc], 1);
    std::int64_t least = 1'000;
    for (std::int32_t v = 0; v < nodes; ++v) {
      if (v == root) continue;
      least = std::min(least, flow.max_flow(root, v, 1'000));
      flow.forget_flow();
    }
    const auto branchings = disjoint_branchings(heads, root);
    ASSERT_EQ(std::ssize(branchings), least) << round;
    std::set<std::int32_t> used;
    for (const Branching& branching : branchings) {
      ASSERT_EQ(std::ssize(branching), nodes);
      for (std::int32_t v = 0; v < nodes; ++v) {
        const Branch& branch = branching[v];
        if (v == root) {
          EXPECT_EQ(branch, (Branch{root, 0, -1}));
          continue;
        }
        EXPECT_EQ(tails[branch.arc], branch.parent);
        EXPECT_EQ(heads.values()[branch.arc], v);
        EXPECT_GT(branch.depth, branching[branch.parent].depth);  // so it leads to the root
        EXPECT_TRUE(used.insert(branch.arc).second) << round;
      }
    }
  }
}

TEST(DisjointBranchings, are_none_where_a_node_is_out_of_reach) {
  const auto heads = rows_by<std::int32_t>(
      3, 2, [](std::int32_t arc) { return arc; }, [](std::int32_t arc) { return 1 - arc; });
  EXPECT_TRUE(disjoint_branchings(heads, 0).empty());
}

}  // namespace
}  // namespace weft::graph
