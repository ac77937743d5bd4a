// The proofs themselves: what they accept, and what they do not count.
#include "weft/flow/throughput/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/graphs.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;
using namespace weft::flow;

FlowGraph graph_of(const Topology& topology) {
  return flow_graph(topology, {});
}

// A one-way triangle 0 -> 1 -> 2 -> 0: every source sends 2 over its first link and 1 over the
// next.
std::vector<std::vector<double>> triangle_flows() {
  return {{2, 1, 0}, {0, 2, 1}, {1, 0, 2}};
}

TEST(FlowBound, is_delivery_over_load) {
  const FlowGraph graph = graph_of(support::one_way_cycle(3));
  EXPECT_DOUBLE_EQ(flow_bound(graph, trivial_orbits(graph), triangle_flows()), 1.0 / 3);
}

TEST(FlowBound, falls_with_the_host_that_gets_least) {
  const FlowGraph graph = graph_of(support::one_way_cycle(3));
  auto flows = triangle_flows();
  flows[1] = {0, 2, 0.25};  // host 0 gets a quarter; the load of link 2 is 2.25, of link 1 still 3
  EXPECT_DOUBLE_EQ(flow_bound(graph, trivial_orbits(graph), flows), 0.25 / 3);
}

TEST(FlowBound, is_zero_for_negative_flow) {
  const FlowGraph graph = graph_of(support::one_way_cycle(3));
  auto flows = triangle_flows();
  flows[0] = {2, 1, -1e-3};
  EXPECT_EQ(flow_bound(graph, trivial_orbits(graph), flows), 0);
}

// A third of everything: no double is 1/3 or 1/10, and each answer lies on its side of the
// fraction. By 3x < 1 in exact arithmetic of doubles: x = k / 2^54 for 1/4 <= x < 1/2, so 3 k <
// 2^54.
TEST(FlowBound, is_rounded_down_and_prices_up) {
  const FlowGraph graph = graph_of(support::one_way_cycle(3));
  const double below = flow_bound(graph, trivial_orbits(graph), triangle_flows());
  const double above = price_bound(graph, trivial_orbits(graph), std::vector<std::int64_t>{1, 1, 1})
                           .value_rounded_up();
  const auto in_units = [](double x) { return static_cast<std::int64_t>(std::ldexp(x, 54)); };
  EXPECT_LT(3 * in_units(below), std::int64_t{1} << 54);
  EXPECT_GT(3 * in_units(above), std::int64_t{1} << 54);
  EXPECT_LE(in_units(above) - in_units(below), 2);
}

// Two hosts on one switch (node 0 is the switch): without a flow out of the source, what the switch
// hands on comes from nowhere.
TEST(FlowBound, does_not_count_what_comes_from_nowhere) {
  const FlowGraph graph = graph_of(make_topology("hosts(2, complete:2)"));
  std::vector<std::vector<double>> flows(4, std::vector<double>(graph.arcs(), 0));
  for (auto& flow : flows)
    for (Int e = 0; e < graph.arcs(); ++e) flow[e] = graph.is_host(graph.head(e)) ? 1 : 0;
  EXPECT_EQ(flow_bound(graph, trivial_orbits(graph), flows), 0);
}

// Prices of 1: 3 links over distances 1 + 2 from each of 3 hosts. With link 0 -> 1 free, 2 over
// 0 + 1 (from host 0), 1 + 2 (from 1) and 1 + 1 (from 2).
TEST(PriceBound, is_capacity_over_distance) {
  const FlowGraph graph = graph_of(support::one_way_cycle(3));
  const ArcOrbits orbits = trivial_orbits(graph);
  EXPECT_EQ(price_bound(graph, orbits, std::vector<std::int64_t>{1, 1, 1}).rational(),
            Rational(1, 3));
  EXPECT_EQ(price_bound(graph, orbits, std::vector<std::int64_t>{0, 1, 1}).rational(),
            Rational(1, 3));
}

// No prices whatever prove less than some flow ships.
TEST(PriceBound, is_never_below_a_flow) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Rng rng(seed);
    const FlowGraph graph = graph_of(support::binary_cube(3));  // f = 1/4
    std::vector<std::int64_t> price(graph.arcs());
    for (auto& p : price) p = rng.below(10);
    price[0] += 1;
    const auto bound = price_bound(graph, trivial_orbits(graph), price).rational();
    EXPECT_GE(bound, Rational(1, 4)) << "seed " << seed;
  }
}

// The symmetries of a 4x4 torus make all 64 arcs and all 16 hosts alike.
TEST(Orbits, of_a_square_torus_are_single) {
  const FlowGraph graph = graph_of(make_topology("torus:4x4"));
  const ArcOrbits orbits = automorphism_orbits(graph);
  EXPECT_EQ(orbits.count, 1);
  ASSERT_EQ(orbits.sources.size(), 1u);
  EXPECT_EQ(orbits.sources[0].weight, 16);
}

// A path of 4: end cables out and back and the middle, ends and middles.
TEST(Orbits, of_a_path_are_by_distance_from_its_ends) {
  const FlowGraph graph = graph_of(make_topology("mesh:4"));
  const ArcOrbits orbits = automorphism_orbits(graph);
  EXPECT_EQ(orbits.count, 3);
  EXPECT_EQ(orbits.sources.size(), 2u);
}

// A capacity that differs breaks the symmetry.
TEST(Orbits, keep_capacities) {
  std::vector<std::int64_t> capacity(6, 2);
  capacity[0] = 1;
  const FlowGraph graph = flow_graph(support::cycle(3), capacity);
  EXPECT_EQ(automorphism_orbits(graph).count, 6);
}

// Twins here are hosts of a leaf, spines, or whole stars, and hosts fold into their switches; with
// cables that are dead, speeds that differ, and unequal leaves.
TEST(Orbits, of_the_condensed_graph_are_those_of_all_nodes) {
  for (const char* name :
       {"leaf-spine:leaves=3,spines=2,hosts=4",
        "without(cable=12, leaf-spine:leaves=3,spines=2,hosts=4)",
        "without(cable=13, leaf-spine:leaves=4,spines=2,hosts=3)", "xgft:3;2,2,3;1,2,2",
        "xgft:3;2,2,3;1,1,1", "xgft:3;3,2,2;1,1,2", "hosts(2, mesh:5)",
        "clos:pods=2,leaves=2,spines=2,hosts=3,cores=4", "rail:boxes=3,gpus=4,spines=2",
        "dragonfly:a=2,p=3,h=1", "hosts(3, ring:5)", "mesh:4x3", "complete:5", "kautz:2,2",
        "boxes(4, complete:3, leaf-spine:leaves=3,spines=2,hosts=4)"}) {
    const Topology topology = make_topology(name);
    for (const std::int64_t other : {1, 3}) {
      std::vector<std::int64_t> capacity(topology.link_count(), 1);
      for (std::size_t link = 0; link < capacity.size();
           ++link)  // a fast class, the same both ways
        if (topology.is_host(topology.tail(LinkId(link))) !=
            topology.is_host(topology.head(LinkId(link))))
          capacity[link] = other;
      capacity[0] = 2;  // and one that is fast one way
      const FlowGraph graph = flow_graph(topology, capacity);
      const ArcOrbits merged = automorphism_orbits(graph);
      const ArcOrbits plain = orbits_under(graph, automorphisms(graph));
      EXPECT_EQ(merged.orbit_of_arc, plain.orbit_of_arc) << name;  // both count by first arcs
      EXPECT_EQ(merged.capacity, plain.capacity) << name;
      ASSERT_EQ(merged.sources.size(), plain.sources.size()) << name;
      for (std::size_t s = 0; s < plain.sources.size(); ++s)
        EXPECT_EQ(merged.sources[s].weight, plain.sources[s].weight) << name;
    }
  }
}

// Hosts fold into their leaves, which are twins then, and a leaf and a spine are left.
TEST(Orbits, of_a_large_fabric_are_found_on_two_nodes) {
  const FlowGraph graph = graph_of(make_topology("leaf-spine:leaves=64,spines=8,hosts=32"));
  EXPECT_EQ(automorphism_orbits(graph, 2).count, 4);  // host to leaf, leaf to spine, and back
  EXPECT_EQ(automorphism_orbits(graph, 1).count, graph.arcs());
}

}  // namespace
