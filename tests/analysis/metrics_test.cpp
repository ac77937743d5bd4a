#include "weft/analysis/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/graphs.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

using namespace weft::support;

TEST(Degrees, count_loops_and_parallel_links) {
  const auto range = degree_range(from_arcs(2, {{0, 0}, {0, 1}, {0, 1}, {1, 0}}));
  EXPECT_EQ(range.max_out, 3);
  EXPECT_EQ(range.min_out, 1);
  EXPECT_EQ(range.max_in, 2);
  EXPECT_FALSE(range.regular());
}

TEST(Degrees, leave_terminal_links_apart) {
  const auto range = degree_range(make_topology("hosts(4, torus:3x3)"));
  EXPECT_EQ(range.max_out, 4);
  EXPECT_TRUE(range.regular());
}

TEST(Bidirectional, is_a_matter_of_pairing) {
  EXPECT_TRUE(is_bidirectional(cycle(5)));
  EXPECT_FALSE(is_bidirectional(one_way_cycle(5)));
  EXPECT_FALSE(is_bidirectional(from_arcs(2, {{0, 1}, {1, 0}})));  // two one-way wires
}

TEST(EdgeConnectivity, of_symmetric_networks_is_the_degree) {
  EXPECT_EQ(edge_connectivity(cycle(9)), 2);
  EXPECT_EQ(edge_connectivity(one_way_cycle(9)), 1);
  EXPECT_EQ(edge_connectivity(complete_graph(7)), 6);
  EXPECT_EQ(edge_connectivity(binary_cube(6)), 6);
  EXPECT_EQ(edge_connectivity(petersen()), 3);
  EXPECT_EQ(edge_connectivity(torus_of({4, 5, 3})), 6);
}

TEST(EdgeConnectivity, of_kautz_is_the_degree) {
  EXPECT_EQ(edge_connectivity(kautz_of_words(4, 3)), 4);
}

TEST(EdgeConnectivity, counts_parallel_links_but_no_loops) {
  EXPECT_EQ(edge_connectivity(from_arcs(2, {{0, 1}, {0, 1}, {1, 0}, {1, 0}, {1, 1}, {0, 0}})), 2);
}

TEST(EdgeConnectivity, is_zero_without_a_way_or_with_one_node) {
  EXPECT_EQ(edge_connectivity(from_arcs(3, {{0, 1}, {1, 2}})), 0);
  EXPECT_EQ(edge_connectivity(from_arcs(1, {{0, 0}})), 0);
}

// The fewest links that leave any proper set of nodes.
std::int32_t naive_edge_connectivity(const Topology& topology) {
  const int nodes = topology.node_count();
  if (nodes < 2) return 0;
  std::int32_t fewest = std::numeric_limits<std::int32_t>::max();
  for (int set = 1; set + 1 < 1 << nodes; ++set) {
    std::int32_t leaving = 0;
    for (LinkId link : topology.links())
      leaving += (set >> topology.tail(link).value() & 1) == 1 &&
                 (set >> topology.head(link).value() & 1) == 0;
    fewest = std::min(fewest, leaving);
  }
  return fewest;
}

TEST(EdgeConnectivity, of_random_networks_is_the_least_cut) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const int nodes = 1 + static_cast<int>(rng.below(9));
    const int links = static_cast<int>(rng.below(6 * nodes));
    const Topology topology =
        seed % 2 == 0 ? random_arcs(nodes, links, rng) : random_cables(nodes, links, rng);
    EXPECT_EQ(edge_connectivity(topology), naive_edge_connectivity(topology));
  }
}

TEST(Girth, of_known_graphs) {
  EXPECT_EQ(girth(cycle(9)), 9);
  EXPECT_EQ(girth(one_way_cycle(9)), 9);
  EXPECT_EQ(girth(complete_graph(5)), 3);
  EXPECT_EQ(girth(binary_cube(5)), 4);
  EXPECT_EQ(girth(petersen()), 5);
  EXPECT_EQ(girth(kautz_of_words(3, 3)), 2);  // abab... has period 2
}

TEST(Girth, of_cables_does_not_go_back_over_one) {
  EXPECT_EQ(girth(from_cables(3, {{0, 1}, {1, 2}})), std::nullopt);
  EXPECT_EQ(girth(from_cables(3, {{0, 1}, {1, 2}, {1, 2}})), 2);
  EXPECT_EQ(girth(from_cables(3, {{0, 1}, {1, 2}, {2, 2}})), 1);
}

TEST(Girth, of_one_way_links_counts_opposite_pairs) {
  EXPECT_EQ(girth(from_arcs(2, {{0, 1}, {1, 0}})), 2);
  EXPECT_EQ(girth(from_arcs(3, {{0, 1}, {1, 2}, {0, 2}})), std::nullopt);
}

// Directed: the least distance back to a link's tail, plus the link.
std::optional<std::int32_t> naive_directed_girth(const Topology& topology) {
  const auto distance = naive_distances(topology);
  std::int32_t best = kFar;
  for (LinkId link : topology.links())
    best = std::min(best, 1 + distance[topology.head(link).index()][topology.tail(link).index()]);
  return best >= kFar ? std::nullopt : std::optional(best);
}

// Cables: the same in the network without the cable.
std::optional<std::int32_t> naive_cable_girth(int nodes, const Topology& topology) {
  std::int32_t best = kFar;
  for (LinkId link : topology.links()) {
    std::vector<Ends> others;
    for (LinkId other : topology.links())
      if (topology.cable(other) != topology.cable(link))
        others.emplace_back(topology.tail(other).value(), topology.head(other).value());
    const auto distance = naive_distances(from_arcs(nodes, others));
    best = std::min(best, 1 + distance[topology.head(link).index()][topology.tail(link).index()]);
  }
  return best >= kFar ? std::nullopt : std::optional(best);
}

TEST(Girth, of_random_networks_agrees_with_distances_back) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const int nodes = 1 + static_cast<int>(rng.below(14));
    const Topology arcs = random_arcs(nodes, static_cast<int>(rng.below(2 * nodes)), rng);
    if (!is_bidirectional(arcs)) {  // no link but loops otherwise
      EXPECT_EQ(girth(arcs), naive_directed_girth(arcs));
    }
    const Topology cables = random_cables(nodes, static_cast<int>(rng.below(2 * nodes)), rng);
    EXPECT_EQ(girth(cables), naive_cable_girth(nodes, cables));
  }
}

}  // namespace
}  // namespace weft::analysis
