#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/graphs.hpp"
#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

TEST(Xgft, levels_have_their_sizes_and_degrees) {
  const Topology t = make_topology("xgft:3;4,3,2;1,2,3");
  const auto tree = as_xgft(t);
  ASSERT_TRUE(tree);
  // Level l has prod(m above l) * prod(w up to l) nodes: 24, 6, 4, 6.
  EXPECT_EQ(tree->first_of_level, (std::vector<std::int64_t>{0, 24, 30, 34, 40}));
  for (NodeId node : t.nodes()) {
    int level = 0;
    while (node.value() >= tree->first_of_level[static_cast<std::size_t>(level) + 1]) ++level;
    const int down = level == 0 ? 0 : tree->children[static_cast<std::size_t>(level) - 1];
    const int up = level == 3 ? 0 : tree->parents[level];
    EXPECT_EQ(t.out_degree(node), down + up);
    EXPECT_EQ(t.is_host(node), level == 0);
  }
  EXPECT_EQ(std::vector<std::string>(t.class_names().begin(), t.class_names().end()),
            (std::vector<std::string>{"terminal", "level1", "level2"}));
  expect_sound_reverses(t);
}

TEST(Xgft, hosts_meet_at_their_lowest_common_level) {
  const Topology t = make_topology("xgft:3;4,3,2;2,2,3");
  const auto distances = support::naive_distances(t);
  for (int x = 0; x < 24; ++x)
    for (int y = 0; y < 24; ++y) {
      const int meet = x == y ? 0 : x / 4 == y / 4 ? 1 : x / 12 == y / 12 ? 2 : 3;
      EXPECT_EQ(distances[x][y], 2 * meet);
    }
}

TEST(Xgft, a_fat_tree_is_the_k_ary_n_tree) {
  const Topology t = make_topology("fat-tree:4,3");
  EXPECT_EQ(t.hosts().size(), 64u);     // k^n
  EXPECT_EQ(t.switches().size(), 48u);  // n k^(n-1)
  EXPECT_EQ(t.hash(), make_topology("xgft:3;4,4,4;1,4,4").hash());
  EXPECT_EQ(t.nominal_degree(), 8);
}

}  // namespace
}  // namespace weft::topology
