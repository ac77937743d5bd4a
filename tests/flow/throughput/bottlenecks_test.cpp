// Thin links between fast parts: the bound by cuts and by the network of parts.
#include "weft/flow/throughput/bottlenecks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "support/graphs.hpp"
#include "weft/base/random.hpp"
#include "weft/flow/throughput/certificate.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;
using flow::FlowGraph;

struct Cabled {
  std::vector<support::Ends> arcs;
  std::vector<std::int64_t> capacity;

  void join(int a, int b, std::int64_t speed) {
    for (const auto& ends : {support::Ends{a, b}, support::Ends{b, a}}) {
      arcs.push_back(ends);
      capacity.push_back(speed);
    }
  }
};

// Rings of `of` nodes each, all of whose cables have the same speed.
Cabled rings(int count, int of, std::int64_t speed) {
  Cabled network;
  for (int ring = 0; ring < count; ++ring)
    for (int i = 0; i < of; ++i) network.join(ring * of + i, ring * of + (i + 1) % of, speed);
  return network;
}

// Links are numbered by their tails, so that their speeds are put in this order.
struct Ordered {
  Topology topology;
  std::vector<std::int64_t> capacity;
};
Ordered ordered(int nodes, const Cabled& network) {
  std::vector<std::size_t> order(network.arcs.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return network.arcs[i].first; });
  std::vector<support::Ends> arcs;
  std::vector<std::int64_t> capacity;
  for (const std::size_t i : order) {
    arcs.push_back(network.arcs[i]);
    capacity.push_back(network.capacity[i]);
  }
  return {support::from_arcs(nodes, arcs), capacity};
}
FlowGraph graph_of(int nodes, const Cabled& network) {
  const Ordered links = ordered(nodes, network);
  return flow::flow_graph(links.topology, links.capacity);
}

// The best bound by these prices, in capacities of 1.
double best_bound(const FlowGraph& graph) {
  const flow::ArcOrbits orbits = flow::trivial_orbits(graph);
  double best = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& prices : flow::bottleneck_prices(graph, orbits, {.gap = 0}))
    best = std::min(best, flow::price_bound(graph, orbits, flow::integer_prices(prices)).value());
  return best * static_cast<double>(graph.unit);
}

// 4 x 8 pairs each way share a cable of 3 that joins a ring of 4 and two of 4 held together by 900.
TEST(Bottlenecks, are_the_tightest_cut_around_what_faster_links_join) {
  Cabled network = rings(3, 4, 1000);
  network.join(0, 4, 3);
  network.join(5, 8, 900);
  const FlowGraph graph = graph_of(12, network);
  EXPECT_NEAR(best_bound(graph), 3. / 32, 1e-9);
}

// One-way: less leads from the first ring (1) than to it (5).
TEST(Bottlenecks, are_of_the_direction_that_has_less) {
  Cabled network = rings(2, 4, 1000);
  network.arcs.emplace_back(0, 4);
  network.capacity.push_back(1);
  network.arcs.emplace_back(5, 1);
  network.capacity.push_back(5);
  const FlowGraph graph = graph_of(8, network);
  EXPECT_NEAR(best_bound(graph), 1. / 16, 1e-9);
}

// Four rings of 4 in a ring of cables of 1: as parts, a ring of 4 whose throughput, 8 / 4^2, is
// shared by 16 pairs of ranks. The tightest cut, through two cables, says no better here, but it is
// around two parts that no faster link holds together: single parts have 2 / (4 x 12).
TEST(Bottlenecks, see_parts_that_faster_links_join_as_one_node_each) {
  Cabled network = rings(4, 4, 1000);
  for (int ring = 0; ring < 4; ++ring) network.join(4 * ring, 4 * ((ring + 1) % 4) + 1, 1);
  const FlowGraph graph = graph_of(16, network);
  EXPECT_NEAR(best_bound(graph), 1. / 32, 1e-6);
}

TEST(Bottlenecks, are_none_where_all_links_are_as_fast) {
  const FlowGraph graph = flow::flow_graph(make_topology("genkautz:3,14"), {});
  EXPECT_TRUE(flow::bottleneck_prices(graph, flow::trivial_orbits(graph), {}).empty());
}

TEST(Contracted, adds_up_ranks_and_capacities_and_knows_the_arcs) {
  Cabled network = rings(2, 3, 10);
  network.join(0, 3, 2);
  network.join(1, 4, 7);
  const FlowGraph graph = graph_of(6, network);
  const FlowGraph two = flow::contracted(graph, std::vector<flow::Int>{0, 0, 0, 1, 1, 1}, 2);
  EXPECT_EQ(two.ranks, (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(two.capacity, (std::vector<std::int64_t>{9, 9}));
  for (flow::Int e = 0; e < graph.arcs(); ++e)
    EXPECT_EQ(two.arc_of_link[e], graph.tail[e] / 3 == graph.head(e) / 3 ? -1 : graph.tail[e] / 3);
}

// 120 hosts whose cables, drawn, have 1 or 3600: some rounds are enough.
TEST(BottlenecksProperty, close_the_gap_of_mixed_speeds_within_some_rounds) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Rng rng(seed);
    Cabled network;
    const auto speed = [&] { return rng.below(2) == 0 ? 1 : 3600; };
    for (int u = 1; u < 120; ++u) network.join(static_cast<int>(rng.below(u)), u, speed());
    for (int i = 0; i < 240; ++i) {
      const int u = static_cast<int>(rng.below(120)), v = static_cast<int>(rng.below(120));
      network.join(u, v, speed());
    }
    const Ordered links = ordered(120, network);
    const flow::Throughput near = flow::all_to_all_throughput(
        links.topology, links.capacity,
        {.method = flow::ThroughputMethod::approximate, .gap = 0.01, .time_limit_s = 300});
    EXPECT_LE(near.gap(), 0.01) << "seed " << seed;
    EXPECT_LE(near.rounds, 60) << "seed " << seed;
  }
}

}  // namespace
