#include <gtest/gtest.h>

#include <algorithm>

#include "support/graphs.hpp"
#include "support/judges/naive_bisection.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

using namespace weft::support;

TEST(Bisection, of_a_hypercube_is_exactly_half_its_nodes) {
  const auto cube = bisection(binary_cube(8));  // second eigenvalue 2, and a subcube cuts as many
  EXPECT_EQ(cube.upper, 128);
  EXPECT_EQ(cube.lower, 128);
}

TEST(Bisection, of_complete_graphs_is_exactly_the_product_of_the_halves) {
  EXPECT_EQ(bisection(complete_graph(8)).upper, 16);
  EXPECT_EQ(bisection(complete_graph(8)).lower, 16);
  EXPECT_EQ(bisection(complete_graph(9)).upper, 20);
  EXPECT_EQ(bisection(complete_graph(9)).lower, 20);
}

TEST(Bisection, of_rings_and_tori_is_found) {
  EXPECT_EQ(bisection(cycle(100)).upper, 2);
  EXPECT_EQ(bisection(one_way_cycle(100)).upper, 2);  // two one-way cables cross
  EXPECT_EQ(bisection(torus_of({8, 8})).upper, 16);
  EXPECT_EQ(bisection(torus_of({8, 4, 4})).upper, 32);  // across the longest extent
}

TEST(Bisection, of_disconnected_halves_is_zero) {
  const auto apart = bisection(from_cables(4, {{0, 2}, {1, 3}}));
  EXPECT_EQ(apart.upper, 0);
  EXPECT_EQ(apart.lower, 0);
  EXPECT_EQ(bisection(from_arcs(1, {{0, 0}})).upper, 0);
}

TEST(Bisection, halves_the_hosts_and_leaves_switches_free) {
  // Four hosts a switch on a ring of eight switches: cut the ring twice.
  const auto ring = bisection(make_topology("hosts(4, ring:8)"));
  EXPECT_EQ(ring.upper, 2);
  // Two switches, one of them without hosts: one switch cannot be halved but at its hosts.
  TopologyBuilder builder(6);
  builder.set_kind(NodeId(4), NodeKind::switch_node).set_kind(NodeId(5), NodeKind::switch_node);
  for (int host = 0; host < 4; ++host) builder.add_cable(NodeId(host), NodeId(4));
  builder.add_cable(NodeId(4), NodeId(5));
  const auto star = bisection(std::move(builder).build(topology::Expression{"star", "", {}}));
  EXPECT_EQ(star.upper, 2);
  EXPECT_EQ(star.lower, 2);
}

TEST(Bisection, of_switches_with_equal_hosts_is_that_of_the_switches) {
  // A host costs one cable to leave aside, far more than it saves here.
  const auto plain = bisection(binary_cube(6));
  const auto hosted = bisection(make_topology("hosts(4, hypercube:6)"));
  EXPECT_EQ(plain.lower, 32);
  EXPECT_EQ(hosted.lower, 32);
  EXPECT_EQ(hosted.upper, 32);
}

TEST(Bisection, of_random_networks_lies_between_the_limits) {
  int met = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const int nodes = 2 + static_cast<int>(rng.below(11));
    const int cables = static_cast<int>(rng.below(4 * nodes));
    TopologyBuilder builder(nodes + (seed % 2 == 0 ? nodes / 3 : 0));
    if (seed % 2 == 0)
      for (int v = 0; v < nodes / 3; ++v) builder.set_kind(NodeId(v), NodeKind::switch_node);
    for (int i = 0; i < cables; ++i) {
      const NodeId u(rng.below(nodes)), v(rng.below(nodes));
      if (seed % 5 == 0)
        builder.add_link(u, v);
      else
        builder.add_cable(u, v);
    }
    if (seed % 2 == 0)  // hosts that hang on a switch only
      for (int i = 0; i < nodes / 3; ++i)
        builder.add_cable(NodeId(nodes + i), NodeId(rng.below(std::max(1, nodes / 3))));
    const Topology topology = std::move(builder).build(topology::Expression{"random", "", {}});
    const auto found = bisection(topology);
    const auto exact = naive_bisection(topology);
    EXPECT_LE(found.lower, exact);
    EXPECT_GE(found.upper, exact);
    met += found.upper == exact;
  }
  EXPECT_GT(met, 135);  // nearly always found on so few nodes
}

}  // namespace
}  // namespace weft::analysis
