#include "weft/analysis/cut_bound.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

// Capacities by class; links of other classes have 1.
std::vector<std::int64_t> capacities(const Topology& topology, std::string_view link_class = "",
                                     std::int64_t capacity = 1) {
  std::vector<std::int64_t> result;
  for (const LinkId link : topology.links())
    result.push_back(topology.class_names()[topology.link_class(link)] == link_class ? capacity
                                                                                     : 1);
  return result;
}

constexpr CutQuestion kAllgather{.demand = CutDemand::lacking};
constexpr CutQuestion kAllreduce{.demand = CutDemand::whole, .reduces_to_all = true};
constexpr CutQuestion kAllToAll{.demand = CutDemand::pairs};

TEST(CutBound, is_that_of_the_leaves_where_uplinks_are_few) {
  // 4 leaves of 4 hosts with one uplink each, equal links, B one link: all-to-all takes 4 * 12 of
  // M/16 over each uplink, 3 M/B. An allgather brings 12/16 into a leaf, 15/16 into a host.
  const Topology tree = make_topology("xgft:2;4,4;1,1");
  const auto capacity = capacities(tree);
  const auto all_to_all = cut_bound(tree, tree.hosts(), capacity, 1, kAllToAll);
  ASSERT_TRUE(all_to_all);
  EXPECT_EQ(all_to_all->bandwidth_factor, Rational(3));
  EXPECT_EQ(all_to_all->text, "cut around each leaf switch");
  EXPECT_EQ(all_to_all->links, 1);
  EXPECT_EQ(all_to_all->bandwidth_Bps, 1);
  EXPECT_EQ(all_to_all->ranks, 4);
  const auto allgather = cut_bound(tree, tree.hosts(), capacity, 1, kAllgather);
  EXPECT_EQ(allgather->bandwidth_factor, Rational(15, 16));
  EXPECT_EQ(allgather->text, "cut around each host node");
  // Hosts send 2 * 15/16 of M each on average: more than 2 * 3/4 of the four leaves.
  const auto allreduce = cut_bound(tree, tree.hosts(), capacity, 1, kAllreduce);
  EXPECT_EQ(allreduce->bandwidth_factor, Rational(30, 16));
  EXPECT_EQ(allreduce->parts, 16);
}

TEST(CutBound, names_the_leaf_that_lost_its_uplinks) {
  // 3 leaves (12, 13, 14) of 4 hosts with 4 uplinks each; leaf 12 loses three of them, so that
  // 4 * 8 of M/12 cross the one that is left.
  const Topology tree =
      make_topology("without(cable=12~15, cable=12~16, cable=12~17, xgft:2;4,3;1,4)");
  const auto bound = cut_bound(tree, tree.hosts(), capacities(tree), 1, kAllToAll);
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->text, "cut around leaf switch 12");
  EXPECT_EQ(bound->bandwidth_factor, Rational(8, 3));
  EXPECT_EQ(bound->links, 1);
}

TEST(CutBound, finds_boxes_by_the_speed_of_their_links) {
  // 4 boxes of 4 with links of 8 inside and 1 outside; B = 3 * 8 + 3 = 27. Into a box: 12/16 over
  // 12 links of 1. An allreduce among four boxes: 2 * 3 M out of boxes with 48 links together.
  const Topology boxes = make_topology("hamming:4x4");
  const auto capacity = capacities(boxes, "x", 8);
  const auto allgather = cut_bound(boxes, boxes.hosts(), capacity, 27, kAllgather);
  EXPECT_EQ(allgather->bandwidth_factor, Rational(27, 16));
  const auto allreduce = cut_bound(boxes, boxes.hosts(), capacity, 27, kAllreduce);
  EXPECT_EQ(allreduce->bandwidth_factor, Rational(27 * 6, 48));
  EXPECT_EQ(allreduce->parts, 4);
  EXPECT_TRUE(allreduce->searched);
}

TEST(CutBound, of_rooted_collectives_looks_from_the_root) {
  // A path of 4 with its root at an end: one of B = 2 links leaves it. Towards node 1: two do.
  const Topology path = make_topology("mesh:4");
  const auto capacity = capacities(path);
  const auto factor = [&](CutDemand demand, int root) {
    const CutQuestion question{
        .demand = demand, .direction = CutDirection::out_of, .root = NodeId(root)};
    return cut_bound(path, path.hosts(), capacity, 2, question)->bandwidth_factor;
  };
  EXPECT_EQ(factor(CutDemand::whole, 0), Rational(2));
  EXPECT_EQ(factor(CutDemand::lacking, 0), Rational(2 * 3, 4));
  EXPECT_EQ(factor(CutDemand::lacking, 1), Rational(2 * 2, 4));  // 2 and 3 behind one link
}

TEST(CutBound, finds_a_waist_that_no_part_has) {
  // Two complete graphs of 5 joined by one cable, all of one class and speed, numbered alternately:
  // S is one of them, 5/10 over one link; B = 5.
  TopologyBuilder builder(10);
  for (int half = 0; half < 2; ++half)
    for (int u = 0; u < 5; ++u)
      for (int v = 0; v < u; ++v) builder.add_cable(NodeId(2 * u + half), NodeId(2 * v + half));
  builder.add_cable(NodeId(4), NodeId(7));
  const Topology waist = std::move(builder).build(Expression{"waist", "", {}});
  const auto capacity = capacities(waist);
  const auto bound = cut_bound(waist, waist.hosts(), capacity, 5, kAllgather);
  EXPECT_EQ(bound->bandwidth_factor, Rational(5, 2));
  EXPECT_EQ(bound->links, 1);
  EXPECT_EQ(bound->ranks, 5);
  EXPECT_EQ(cut_bound(waist, waist.hosts(), capacity, 5, kAllToAll)->bandwidth_factor,
            Rational(25, 2));
  CutQuestion unsearched = kAllgather;
  unsearched.most_work = 0;
  const auto structure = cut_bound(waist, waist.hosts(), capacity, 5, unsearched);
  EXPECT_FALSE(structure->searched);
  EXPECT_LT(structure->bandwidth_factor, Rational(5, 2));
}

// Three complete graphs of 4 in a ring of single cables, all of one class and speed: no family of
// parts and no minimum cut holds three of them apart. 2 * 2 M leave the boxes by 6 links; two
// cables around one box alone say 1/2, single nodes 22/42.
TEST(CutBound, divides_an_allreduce_among_boxes_that_only_their_links_tell) {
  TopologyBuilder builder(12);
  const auto node = [](int box, int i) { return NodeId(3 * i + box); };  // numbered in turn
  for (int box = 0; box < 3; ++box) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) builder.add_cable(node(box, i), node(box, j));
    builder.add_cable(node(box, 0), node((box + 1) % 3, 1));
  }
  const Topology boxes = std::move(builder).build(Expression{"boxes", "", {}});
  const auto bound = cut_bound(boxes, boxes.hosts(), capacities(boxes), 1, kAllreduce);
  EXPECT_EQ(bound->bandwidth_factor, Rational(2, 3));
  EXPECT_EQ(bound->parts, 3);
  EXPECT_EQ(bound->links, 6);
  EXPECT_EQ(bound->text, "cuts around 3 parts of 4 ranks");
  EXPECT_TRUE(bound->searched);
}

TEST(CutBound, needs_links_where_data_has_to_cross_and_ranks_apart) {
  const Topology broken = make_topology("without(cable=0, mesh:2)");
  EXPECT_THROW(cut_bound(broken, broken.hosts(), {}, 1, kAllgather), InvalidInput);
  const Topology ring = make_topology("ring:4");
  const std::vector<NodeId> together{NodeId(1), NodeId(1)};
  EXPECT_FALSE(cut_bound(ring, together, capacities(ring), 2, kAllgather));
}

}  // namespace
}  // namespace weft::analysis
