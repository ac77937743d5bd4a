#include "weft/topology/families/lift.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/topology/families/circulant.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

std::multiset<std::pair<int, int>> arcs_of(const Topology& topology) {
  std::multiset<std::pair<int, int>> arcs;
  for (const LinkId link : topology.links())
    arcs.emplace(topology.tail(link).value(), topology.head(link).value());
  return arcs;
}

void expect_paired(const Topology& topology) {
  for (const LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    ASSERT_TRUE(reverse);
    EXPECT_EQ(topology.reverse(*reverse), link);
    EXPECT_EQ(topology.tail(*reverse), topology.head(link));
    EXPECT_EQ(topology.head(*reverse), topology.tail(link));
  }
}

// One orbit is a Cayley graph: jumps 3 and 4 with their inverses 13 and 12 of Z16.
TEST(Lift, of_one_orbit_is_the_circulant) {
  const Topology lifted = make_topology("lift:Z16;0>0:3,0>0:13,0>0:4,0>0:12");
  EXPECT_EQ(arcs_of(lifted), arcs_of(circulant(16, {3, 4})));
  expect_paired(lifted);
}

// The Petersen graph: an outer 5-cycle, an inner pentagram and spokes.
TEST(Lift, of_two_orbits_of_z5_is_the_petersen_graph) {
  const Topology petersen = make_topology("lift:Z5;0>0:1,0>0:4,0>1:0,1>1:2,1>1:3,1>0:0");
  EXPECT_EQ(petersen.node_count(), 10);
  EXPECT_EQ(petersen.cable_count(), 15);
  EXPECT_EQ(petersen.nominal_degree(), 3);
  EXPECT_TRUE(petersen.find_link(NodeId(0), NodeId(5)));
  EXPECT_TRUE(petersen.find_link(NodeId(5), NodeId(7)));
  EXPECT_FALSE(petersen.find_link(NodeId(5), NodeId(6)));
  expect_paired(petersen);
}

TEST(Lift, multiplies_the_voltage_from_the_right) {
  const Group group = Group::parse("D3");
  const Group::Element turn = group.element("(1,0)");
  const Topology lifted = lift(group, std::vector<LiftArc>{{0, 1, turn}, {1, 0, 0}});
  for (Group::Element x = 0; x < 6; ++x)
    EXPECT_TRUE(lifted.find_link(NodeId(x), NodeId(6 + group.multiply(x, turn))));
}

TEST(Lift, is_one_way_unless_every_arc_has_a_reverse) {
  const Topology lifted = make_topology("lift:Z4;0>1:0,1>0:1");
  for (const LinkId link : lifted.links()) EXPECT_FALSE(lifted.reverse(link));
}

TEST(Lift, pairs_an_involution_with_itself) {
  expect_paired(make_topology("lift:Z4;0>0:2,0>1:1,1>0:3,1>1:2"));
}

TEST(Lift, has_a_canonical_text) {
  EXPECT_EQ(make_topology("lift: z4 x Z2 ; 0>1: (5, -1), 1 > 0:(0,0)").name(),
            "lift:Z4xZ2;0>1:(1,1),1>0:(0,0)");
  const Topology once = make_topology("lift:Z4xZ2;0>1:(1,1),1>0:(0,0)");
  EXPECT_EQ(make_topology(once.name()).hash(), once.hash());
}

TEST(Lift, rejects_what_is_no_lift) {
  for (const char* text :
       {"lift:Z4", "lift:Z4;", "lift:Z4;0>1", "lift:Z4;0-1:0", "lift:Z4;0>1:0",
        "lift:Z4;0>2:0,2>0:1", "lift:Z4;-1>0:0", "lift:Z4;0>1000000000:1", "lift:Y4;0>0:1",
        "lift:Z4;0>0:(1,2)", "lift:Z4;0:0>1", "lift:Z4;0>0:", "lift:Z4;0>0:1,"})
    EXPECT_THROW(make_topology(text), InvalidInput) << text;
}

}  // namespace
}  // namespace weft::topology
