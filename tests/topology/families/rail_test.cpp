#include <gtest/gtest.h>

#include "support/graphs.hpp"
#include "topology/files/file_helpers.hpp"
#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

// 5 boxes of 4 GPUs, 3 spines: GPUs, box switches, leaves, spines.
TEST(Rail, puts_equal_cards_on_one_leaf) {
  const Topology t = make_topology("rail:boxes=5,gpus=4,spines=3");
  ASSERT_EQ(t.node_count(), 20 + 5 + 4 + 3);
  EXPECT_EQ(t.hosts().size(), 20u);
  EXPECT_EQ(t.cable_count(), 2 * 20 + 4 * 3);
  for (int host = 0; host < 20; ++host) {
    const auto links = t.out_links(NodeId(host));
    ASSERT_EQ(links.size(), 2);
    EXPECT_EQ(t.head(links[0]), NodeId(20 + host / 4));
    EXPECT_EQ(t.head(links[1]), NodeId(25 + host % 4));
  }
  for (int leaf = 25; leaf < 29; ++leaf) EXPECT_EQ(t.out_degree(NodeId(leaf)), 5 + 3);
  for (int spine = 29; spine < 32; ++spine) EXPECT_EQ(t.out_degree(NodeId(spine)), 4);
  expect_sound_reverses(t);
}

// In a box and on a rail one switch, from rail to rail a spine; without spines the box's switch and
// a leaf, in either order, by a GPU between them.
TEST(Rail, distances_are_those_of_boxes_and_rails) {
  for (const char* text : {"rail:boxes=3,gpus=4,spines=2", "rail:boxes=3,gpus=4,spines=0"}) {
    const auto distances = support::naive_distances(make_topology(text));
    for (int x = 0; x < 12; ++x)
      for (int y = 0; y < 12; ++y)
        EXPECT_EQ(distances[x][y], x == y ? 0 : x / 4 == y / 4 || x % 4 == y % 4 ? 2 : 4) << text;
  }
}

TEST(Rail, boxes_are_groups_also_through_a_file) {
  const Topology again = through_file("rail:boxes=3,gpus=4,spines=2");
  const auto groups = as_host_groups(again);
  ASSERT_TRUE(groups);
  EXPECT_EQ(groups->count, 3);
  for (const NodeId host : again.hosts()) EXPECT_EQ(groups->of[host], host.value() / 4);
}

}  // namespace
}  // namespace weft::topology
