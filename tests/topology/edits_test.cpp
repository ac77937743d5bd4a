// The functions splice() and exchange().
#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

void expect_regular(const Topology& topology, int degree) {
  for (const NodeId node : topology.nodes()) {
    EXPECT_EQ(topology.out_degree(node), degree) << topology.name();
    EXPECT_EQ(topology.in_degree(node), degree) << topology.name();
  }
}

// Link 1 of uniring:3 leads from 1 to 2; the new node 3 comes between.
TEST(Splice, puts_a_node_into_a_link) {
  const Topology ring = make_topology("splice(link=1, uniring:3)");
  ASSERT_EQ(ring.node_count(), 4);
  EXPECT_TRUE(ring.find_link(NodeId(1), NodeId(3)));
  EXPECT_TRUE(ring.find_link(NodeId(3), NodeId(2)));
  EXPECT_FALSE(ring.find_link(NodeId(1), NodeId(2)));
  expect_regular(ring, 1);
}

TEST(Splice, keeps_degrees_and_link_ids) {
  const Topology before = make_topology("kautz:2,3");
  const Topology after = make_topology("splice(link=0, link=5, kautz:2,3)");
  EXPECT_EQ(after.node_count(), before.node_count() + 1);
  EXPECT_EQ(after.nominal_degree(), 2);
  expect_regular(after, 2);
  for (const LinkId link : before.links()) {
    EXPECT_EQ(after.tail(link), before.tail(link));
    const bool cut = link.value() == 0 || link.value() == 5;
    EXPECT_EQ(after.head(link), cut ? NodeId(before.node_count()) : before.head(link));
  }
}

TEST(Splice, keeps_both_ways_of_a_cable) {
  const Topology ring = make_topology("splice(cable=1, ring:5)");
  EXPECT_EQ(ring.cable_count(), 6);
  expect_regular(ring, 2);
  for (const LinkId link : ring.links()) {
    const auto reverse = ring.reverse(link);
    ASSERT_TRUE(reverse);
    EXPECT_EQ(ring.tail(*reverse), ring.head(link));
    EXPECT_EQ(ring.head(*reverse), ring.tail(link));
  }
}

TEST(Splice, has_a_canonical_text_and_nests) {
  EXPECT_EQ(make_topology("splice(link=5,link=0, kautz:2,3)").name(),
            "splice(link=0, link=5, kautz:2,3)");
  const Topology twice =
      make_topology("splice(link=1, link=24, splice(link=0, link=5, kautz:2,3))");
  EXPECT_EQ(twice.node_count(), 14);
  expect_regular(twice, 2);
  EXPECT_EQ(make_topology(twice.name()).hash(), twice.hash());
}

TEST(Splice, rejects_what_cannot_be_cut) {
  for (const char* text :
       {"splice(uniring:3)", "splice(link=3, uniring:3)", "splice(link=-1, uniring:3)",
        "splice(link=1, link=1, uniring:3)", "splice(link=0, ring:5)", "splice(cable=9, ring:5)",
        "splice(node=1, ring:5)", "splice(4, ring:5)", "splice(cable=0, hosts(1, ring:5))"})
    EXPECT_THROW(make_topology(text), InvalidInput) << text;
}

// Links 0 and 2 of uniring:4 lead 0 -> 1 and 2 -> 3.
TEST(Exchange, swaps_heads) {
  const Topology rings = make_topology("exchange(0, 2, uniring:4)");
  EXPECT_TRUE(rings.find_link(NodeId(0), NodeId(3)));
  EXPECT_TRUE(rings.find_link(NodeId(2), NodeId(1)));
  EXPECT_TRUE(rings.find_link(NodeId(1), NodeId(2)));
  expect_regular(rings, 1);
}

TEST(Exchange, goes_pair_by_pair) {
  const Topology there_and_back = make_topology("exchange(0, 2, 2, 0, genkautz:3,10)");
  const Topology untouched = make_topology("genkautz:3,10");
  EXPECT_EQ(there_and_back.name(), "exchange(0, 2, 2, 0, genkautz:3,10)");
  for (const LinkId link : untouched.links())
    EXPECT_EQ(there_and_back.head(link), untouched.head(link));
}

TEST(Exchange, rejects_odd_unknown_and_two_way_links) {
  for (const char* text :
       {"exchange(0, uniring:4)", "exchange(uniring:4)", "exchange(0, 4, uniring:4)",
        "exchange(0, 1, ring:5)", "exchange(link=0, uniring:4)", "exchange(0, -1, uniring:4)"})
    EXPECT_THROW(make_topology(text), InvalidInput) << text;
}

}  // namespace
}  // namespace weft::topology
