#include "weft/analysis/bounds.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/graphs.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

using namespace weft::support;

TEST(MooreBound, sums_the_layers) {
  EXPECT_EQ(moore_bound(4, 2, Wiring::one_way), 1 + 4 + 16);
  EXPECT_EQ(moore_bound(3, 2, Wiring::two_way), 10);  // Petersen
  EXPECT_EQ(moore_bound(7, 2, Wiring::two_way), 50);  // Hoffman-Singleton
  EXPECT_EQ(moore_bound(1, 5, Wiring::one_way), 6);
  EXPECT_EQ(moore_bound(2, 5, Wiring::two_way), 11);
  EXPECT_EQ(moore_bound(1, 5, Wiring::two_way), 2);
  EXPECT_EQ(moore_bound(0, 5, Wiring::two_way), 1);
  EXPECT_EQ(moore_bound(100, 60, Wiring::one_way), std::int64_t{1} << 62);
}

TEST(MooreSteps, is_the_least_diameter) {
  EXPECT_EQ(moore_steps(1024, 4), 5);  // 341 < 1024 <= 1365
  EXPECT_EQ(moore_steps(21, 4), 2);
  EXPECT_EQ(moore_steps(22, 4), 3);
  EXPECT_EQ(moore_steps(1, 4), 0);
  EXPECT_EQ(moore_steps(10, 3, Wiring::two_way), 2);
  EXPECT_EQ(moore_steps(11, 3, Wiring::two_way), 3);
  EXPECT_EQ(moore_steps(1'000'000, 1), 999'999);                   // a one-way ring
  EXPECT_EQ(moore_steps(1'000'001, 2, Wiring::two_way), 500'000);  // a ring
  EXPECT_EQ(moore_steps(2, 1, Wiring::two_way), 1);
}

TEST(MooreSteps, is_nothing_where_no_diameter_will_do) {
  EXPECT_EQ(moore_steps(3, 1, Wiring::two_way), std::nullopt);
  EXPECT_EQ(moore_steps(2, 0), std::nullopt);
  EXPECT_EQ(moore_steps(1, 0), 0);
}

TEST(MooreSteps, of_printed_distance_regular_graphs) {
  // Direct-connect paper, Table 8, degree 4: nodes, T_L*, T_L**.
  struct Row {
    int nodes, one_way, two_way;
  };
  for (const Row row : {Row{26, 3, 3}, Row{35, 3, 3}, Row{45, 3, 3}, Row{70, 3, 4}, Row{80, 3, 4},
                        Row{189, 4, 5}, Row{728, 5, 6}}) {
    EXPECT_EQ(moore_steps(row.nodes, 4), row.one_way) << row.nodes;
    EXPECT_EQ(moore_steps(row.nodes, 4, Wiring::two_way), row.two_way) << row.nodes;
  }
}

TEST(MooreSteps, rejects_sizes_that_no_network_has) {
  EXPECT_THROW(moore_steps(0, 3), InvalidInput);
  EXPECT_THROW(moore_bound(-1, 3, Wiring::one_way), InvalidInput);
}

AllToAllBound unit_bound(const Topology& topology, std::int64_t egress) {
  const std::vector<std::int64_t> capacity(static_cast<std::size_t>(topology.link_count()), 1);
  return all_to_all_bound(topology, topology.hosts(), capacity, egress);
}

TEST(AllToAllBound, on_hamming_networks_is_2_m_minus_1_over_m) {
  for (int m : {2, 3, 4, 8}) {
    const Topology hamming = make_topology(fmt::format("hamming:{}x{}", m, m));
    const auto bound = unit_bound(hamming, 2 * (m - 1));
    EXPECT_EQ(bound.value(), Rational(2 * (m - 1), m));
    EXPECT_EQ(bound.endpoint, Rational(m * m - 1, m * m));
  }
}

// Each dimension is a cut: d / min(m) (thesis on Kautz and 2dfc collectives, section 4.2.3), which
// MD meets and the throughput of 2dfc:4x8 and hamming:4x6x8, 5/2 and 15/4, proves.
TEST(AllToAllBound, on_unequal_extents_is_that_of_the_shortest_dimension) {
  EXPECT_EQ(unit_bound(make_topology("2dfc:4x8"), 10).value(), Rational(10, 4));
  EXPECT_EQ(unit_bound(make_topology("hamming:4x6x8"), 15).value(), Rational(15, 4));
  // Two cables for each pair of the shorter dimension carry twice as much: 13 (3/4) / 6 and
  // 13 (7/8) / 7.
  const AllToAllBound twice = unit_bound(make_topology("hyperx:4x8,2,1"), 13);
  EXPECT_EQ(twice.dimension, Rational(13, 8));
}

TEST(AllToAllBound, on_a_one_way_ring_is_half_the_others) {
  // sum over one source of 1 .. N-1, on one link each: (N-1)/2.
  EXPECT_EQ(unit_bound(one_way_cycle(16), 1).value(), Rational(15, 2));
}

TEST(AllToAllBound, on_unequal_links_uses_their_total) {
  // 0 <-> 1 with 3 one way and 1 the other: two blocks of M/2 over capacity 4, B = 3.
  const Topology pair = from_arcs(2, {{0, 1}, {1, 0}, {0, 0}});
  const std::vector<NodeId> places{NodeId(0), NodeId(1)};
  std::vector<std::int64_t> capacity;
  for (LinkId link : pair.links())
    capacity.push_back(pair.tail(link) == pair.head(link) ? 100
                       : pair.tail(link) == NodeId(0)     ? 3
                                                          : 1);
  const auto bound = all_to_all_bound(pair, places, capacity, 3);
  EXPECT_EQ(bound.distance, Rational(3 * 2, 2 * 4));
  EXPECT_EQ(bound.endpoint, Rational(3, 2));  // node 0 receives half of M at 1
  EXPECT_EQ(bound.value(), Rational(3, 2));
}

TEST(AllToAllBound, on_one_switch_is_the_endpoints) {
  TopologyBuilder builder(9);
  builder.set_kind(NodeId(8), NodeKind::switch_node);
  for (int host = 0; host < 8; ++host) builder.add_cable(NodeId(host), NodeId(8));
  const auto bound = unit_bound(std::move(builder).build(topology::Expression{"star", "", {}}), 1);
  EXPECT_EQ(bound.endpoint, Rational(7, 8));
  EXPECT_EQ(bound.distance, Rational(8 * 7 * 2, 8 * 16));
}

TEST(AllToAllBound, looks_at_the_links_between_switches_alone) {
  // Two hosts on each of 4 switches in a ring. A host has 1 other at switch distance 0, 4 at
  // distance 1 and 2 at distance 2: 8 hops to others in 8 links of capacity 1.
  const Topology ring = make_topology("hosts(2, ring:4)");
  std::vector<std::int64_t> capacity;
  for (LinkId link : ring.links())
    capacity.push_back(ring.is_host(ring.tail(link)) || ring.is_host(ring.head(link)) ? 4 : 1);
  const auto bound = all_to_all_bound(ring, ring.hosts(), capacity, 4);
  EXPECT_EQ(bound.core_distance, Rational(4 * 8 * 8, 8 * 8));
  EXPECT_EQ(bound.distance, Rational(4 * (8 * 8 + 2 * 8 * 7), 8 * (8 + 16 * 4)));
  EXPECT_EQ(bound.value(), Rational(4));
}

TEST(AllToAllBound, lets_a_host_of_two_switches_pass_data_on) {
  // Two switches with a thin link and a host on both: data may go round by the host.
  TopologyBuilder builder(5);
  for (int node : {3, 4}) builder.set_kind(NodeId(node), NodeKind::switch_node);
  builder.add_cable(NodeId(0), NodeId(3));
  builder.add_cable(NodeId(1), NodeId(3));
  builder.add_cable(NodeId(1), NodeId(4));
  builder.add_cable(NodeId(2), NodeId(4));
  builder.add_cable(NodeId(3), NodeId(4));
  const auto bound = unit_bound(std::move(builder).build(topology::Expression{"dual", "", {}}), 2);
  EXPECT_EQ(bound.core_distance, Rational(0));
}

TEST(AllToAllBound, counts_several_ranks_at_a_node) {
  // Two ranks on each of two nodes: each node sends 2 * 2 blocks of M/4.
  const Topology pair = from_cables(2, {{0, 1}});
  const std::vector<NodeId> places{NodeId(0), NodeId(0), NodeId(1), NodeId(1)};
  const auto bound = all_to_all_bound(pair, places, std::vector<std::int64_t>{1, 1}, 1);
  EXPECT_EQ(bound.endpoint, Rational(1));
  EXPECT_EQ(bound.distance, Rational(8, 8));
}

TEST(AllToAllBound, rejects_ranks_out_of_reach) {
  EXPECT_THROW(unit_bound(from_arcs(2, {{0, 1}}), 1), InvalidInput);
}

TEST(AllToAllBound, keeps_exact_with_bandwidths_in_bytes) {
  const Topology cube = binary_cube(12);
  const std::vector<std::int64_t> capacity(static_cast<std::size_t>(cube.link_count()),
                                           12'500'000'000);
  const auto bound = all_to_all_bound(cube, cube.hosts(), capacity, 12 * 12'500'000'000);
  EXPECT_EQ(bound.value(), Rational(6));  // mean distance 6 over all, itself included
}

}  // namespace
}  // namespace weft::analysis
