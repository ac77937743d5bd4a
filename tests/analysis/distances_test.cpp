#include "weft/analysis/distances.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/graphs.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/analysis/report.hpp"
#include "weft/base/parallel.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

using namespace weft::support;

TEST(Distances, of_a_ring_follow_the_formula) {
  const auto even = summarize_distances(cycle(8));
  EXPECT_EQ(even.diameter(), 4);
  EXPECT_EQ(even.pairs_at, (std::vector<std::int64_t>{0, 16, 16, 16, 8}));
  EXPECT_EQ(even.average(), Rational(16, 7));  // 2 (1 + 2 + 3) + 4 over 7 others
  EXPECT_EQ(summarize_distances(cycle(9)).diameter(), 4);
}

TEST(Distances, of_a_one_way_ring_go_all_the_way_round) {
  const auto ring = summarize_distances(one_way_cycle(1000));  // two batches of sources
  EXPECT_TRUE(ring.connected());
  EXPECT_EQ(ring.diameter(), 999);
  EXPECT_EQ(ring.sum(), 1000 * (999 * 1000 / 2));
}

TEST(Distances, of_a_hypercube_are_binomial) {
  const auto cube = summarize_distances(binary_cube(10));
  EXPECT_EQ(cube.diameter(), 10);
  EXPECT_EQ(cube.pairs_at[3], 1024 * 120);  // C(10, 3)
  EXPECT_EQ(cube.average(), Rational(10 * 512, 1023));
}

TEST(Distances, of_a_torus_add_up_over_dimensions) {
  const auto torus = summarize_distances(torus_of({5, 6, 7}));
  EXPECT_EQ(torus.diameter(), 2 + 3 + 3);
  // A dimension's mean over all nodes: (0+1+1+2+2)/5, (0+1+1+2+2+3)/6, (0+1+1+2+2+3+3)/7.
  EXPECT_EQ(*torus.average() * Rational(209, 210),
            Rational(6, 5) + Rational(9, 6) + Rational(12, 7));
}

TEST(Distances, of_kautz_have_the_word_length_as_diameter) {
  const auto kautz = summarize_distances(kautz_of_words(4, 3));
  EXPECT_EQ(kautz.places, 64 + 16);
  EXPECT_EQ(kautz.diameter(), 3);
}

TEST(Distances, of_the_petersen_graph) {
  const auto found = summarize_distances(petersen());
  EXPECT_EQ(found.pairs_at, (std::vector<std::int64_t>{0, 30, 60}));
  EXPECT_EQ(found.radius(), 2);
}

// The same network without an expression, so that nothing is known of its symmetry.
Topology anonymous(const Topology& topology) {
  TopologyBuilder builder(topology.node_count());
  for (const NodeId node : topology.switches()) builder.set_kind(node, NodeKind::switch_node);
  for (const LinkId link : topology.links()) {
    const auto back = topology.reverse(link);
    if (!back || *back == link)
      builder.add_link(topology.tail(link), topology.head(link));
    else if (link < *back)
      builder.add_cable(topology.tail(link), topology.head(link));
  }
  return std::move(builder).build(topology::Expression{"anonymous", "", {}});
}

TEST(Distances, of_known_cayley_graphs_are_those_of_the_plain_search) {
  for (const char* name :
       {"torus:4x3x2", "uniring:7", "hypercube:4", "circulant:16,3,4", "hamming:3x4", "2dfc:3x3",
        "complete:5", "directed-circulant:4", "twisted-torus:2x2x4", "ring:5 * complete:3",
        "cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)", "circulant:12,3", "hosts(3, torus:4x4)",
        "hosts(2, circulant:9,2)", "bipartite:3,3", "hyperx:3x3,2,1", "transpose(uniring:6)"}) {
    SCOPED_TRACE(name);
    const Topology topology = make_topology(name);
    const Topology plain = anonymous(topology);
    const auto fast = summarize_distances(topology), slow = summarize_distances(plain);
    EXPECT_EQ(fast.pairs_at, slow.pairs_at);
    EXPECT_EQ(fast.eccentricity, slow.eccentricity);
    const auto hosts = summarize_distances(topology, topology.hosts());
    const auto plain_hosts = summarize_distances(plain, plain.hosts());
    EXPECT_EQ(hosts.pairs_at, plain_hosts.pairs_at);
    EXPECT_EQ(hosts.eccentricity, plain_hosts.eccentricity);
    const auto some = topology.hosts().subspan(1);  // not alike: the one left out is missed
    EXPECT_EQ(summarize_distances(topology, some).pairs_at,
              summarize_distances(plain, plain.hosts().subspan(1)).pairs_at);
    EXPECT_EQ(edge_connectivity(topology), edge_connectivity(plain));
    EXPECT_EQ(girth(topology), girth(plain));
    EXPECT_TRUE(is_vertex_transitive(plain));
    EXPECT_EQ(report(topology, {.automatic_nodes = 1}).vertex_transitive, true);
  }
}

TEST(Distances, of_one_node_are_none) {
  const auto found = summarize_distances(from_arcs(1, {{0, 0}}));
  EXPECT_TRUE(found.connected());
  EXPECT_EQ(found.diameter(), 0);
  EXPECT_FALSE(found.average());
}

TEST(Distances, of_disconnected_networks_count_what_is_reachable) {
  const auto found = summarize_distances(from_arcs(3, {{0, 1}}));
  EXPECT_FALSE(found.connected());
  EXPECT_EQ(found.reachable_pairs(), 1);
  EXPECT_EQ(found.eccentricity, (std::vector<std::int32_t>{1, 0, 0}));
}

void expect_naive(const Topology& topology) {
  const auto naive = naive_distances(topology);
  const auto found = summarize_distances(topology);
  std::vector<std::int64_t> pairs_at(naive.size(), 0);
  bool connected = true;
  for (NodeId u : topology.nodes()) {
    const auto from = distances_from(topology, u), to = distances_to(topology, u);
    std::int32_t farthest = 0;
    for (NodeId v : topology.nodes()) {
      const auto d = naive[u.index()][v.index()], back = naive[v.index()][u.index()];
      EXPECT_EQ(from[v.index()], d == kFar ? kUnreachable : d);
      EXPECT_EQ(to[v.index()], back == kFar ? kUnreachable : back);
      connected = connected && d != kFar;
      if (d == kFar || u == v) continue;
      ++pairs_at[d];
      farthest = std::max(farthest, d);
    }
    EXPECT_EQ(found.eccentricity[u.index()], farthest);
  }
  while (!pairs_at.empty() && pairs_at.back() == 0) pairs_at.pop_back();
  EXPECT_EQ(found.pairs_at, pairs_at);
  EXPECT_EQ(found.connected(), connected);
}

TEST(Distances, of_random_digraphs_are_floyd_and_warshalls) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const int nodes = 1 + static_cast<int>(rng.below(40));
    const int links = static_cast<int>(rng.below(4 * nodes));
    expect_naive(seed % 2 == 0 ? random_arcs(nodes, links, rng)
                               : random_cables(nodes, links / 2, rng));
  }
}

TEST(Distances, agree_with_plain_searches_over_several_batches) {
  Rng rng(5);
  for (const Topology& topology :
       {random_arcs(1500, 6000, rng), random_permutations(1300, 8, rng), cycle(1100),
        torus_of({40, 30}), random_cables(1200, 1300, rng)}) {
    const auto found = summarize_distances(topology);
    std::vector<std::int64_t> pairs_at(2000, 0);
    for (NodeId u : topology.nodes())
      for (std::int32_t d : distances_from(topology, u))
        if (d != kUnreachable && d != 0) ++pairs_at[d];
    while (!pairs_at.empty() && pairs_at.back() == 0) pairs_at.pop_back();
    EXPECT_EQ(found.pairs_at, pairs_at);
  }
}

TEST(Distances, do_not_depend_on_the_number_of_threads) {
  Rng rng(9);
  const Topology topology = random_arcs(3000, 9000, rng);
  set_threads(1);
  const auto one = summarize_distances(topology);
  set_threads(4);
  const auto four = summarize_distances(topology);
  set_threads(0);
  EXPECT_EQ(one.pairs_at, four.pairs_at);
  EXPECT_EQ(one.eccentricity, four.eccentricity);
}

// Two switches on a cable, two hosts on each.
Topology dumbbell() {
  TopologyBuilder builder(6);
  builder.set_kind(NodeId(0), NodeKind::switch_node).set_kind(NodeId(1), NodeKind::switch_node);
  builder.add_cable(NodeId(0), NodeId(1));
  for (int host = 2; host < 6; ++host) builder.add_cable(NodeId(host), NodeId(host / 4));
  return std::move(builder).build(topology::Expression{"dumbbell", "", {}});
}

TEST(Distances, of_networks_with_switches_are_between_switches) {
  const auto found = summarize_distances(dumbbell());
  EXPECT_EQ(found.places, 2);
  EXPECT_EQ(found.diameter(), 1);
}

TEST(Distances, between_hosts_count_terminal_links) {
  const Topology topology = dumbbell();
  const auto found = summarize_distances(topology, topology.hosts());
  EXPECT_EQ(found.pairs_at, (std::vector<std::int64_t>{0, 0, 4, 8}));
}

TEST(Distances, between_ranks_on_one_node_are_zero) {
  const Topology topology = one_way_cycle(4);
  const std::vector<NodeId> places{NodeId(0), NodeId(0), NodeId(3)};
  const auto found = summarize_distances(topology, places);
  // 0-0 twice at 0; 3 -> 0 twice at 1; 0 -> 3 twice at 3.
  EXPECT_EQ(found.pairs_at, (std::vector<std::int64_t>{2, 2, 0, 2}));
  EXPECT_EQ(found.eccentricity, (std::vector<std::int32_t>{3, 3, 1}));
  EXPECT_TRUE(found.connected());
}

}  // namespace
}  // namespace weft::analysis
