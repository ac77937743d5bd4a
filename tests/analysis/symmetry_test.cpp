#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "support/graphs.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

using namespace weft::support;

TEST(Isomorphic, is_the_four_cube_the_torus_of_side_four) {
  EXPECT_TRUE(are_isomorphic(binary_cube(4), torus_of({4, 4})));
  EXPECT_TRUE(are_isomorphic(topology::make_topology("bipartite:4,4"),
                             topology::make_topology("twisted-torus:2x4")));
  EXPECT_FALSE(are_isomorphic(binary_cube(4), torus_of({2, 8})));
}

// The rook's graph of a 4 x 4 board and Shrikhande's have the same strongly regular parameters,
// (16, 6, 2, 2), and so the same distances and spectrum. Source: Shrikhande, "The uniqueness of the
// L2 association scheme", Annals of Mathematical Statistics 30, 1959.
TEST(Isomorphic, is_not_shrikhandes_graph_the_rooks) {
  std::vector<std::pair<int, int>> cables;
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(0, 1), std::pair(1, 1)})
        cables.emplace_back(4 * x + y, 4 * ((x + dx) % 4) + (y + dy) % 4);
  const Topology shrikhande = from_cables(16, cables);
  EXPECT_FALSE(are_isomorphic(shrikhande, topology::make_topology("hamming:4x4")));
  EXPECT_TRUE(are_isomorphic(shrikhande, shrikhande));
}

TEST(Isomorphic, sees_directions_parallel_links_and_switches) {
  EXPECT_TRUE(are_isomorphic(from_arcs(3, {{0, 1}, {1, 2}, {2, 0}}),
                             from_arcs(3, {{0, 2}, {2, 1}, {1, 0}})));
  EXPECT_FALSE(are_isomorphic(from_arcs(3, {{0, 1}, {0, 2}, {1, 2}}),
                              from_arcs(3, {{0, 1}, {1, 2}, {2, 0}})));
  EXPECT_FALSE(are_isomorphic(from_cables(4, {{0, 1}, {0, 1}, {2, 3}, {2, 3}, {1, 2}}),
                              from_cables(4, {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {2, 3}})));
  EXPECT_FALSE(are_isomorphic(topology::make_topology("xgft:1;4;1"),  // a switch in the middle
                              topology::make_topology("xgft:2;2,1;1,1")));  // three switches
}

TEST(VertexTransitive, are_rings_cubes_tori_and_petersen) {
  EXPECT_TRUE(is_vertex_transitive(cycle(9)));
  EXPECT_TRUE(is_vertex_transitive(one_way_cycle(9)));
  EXPECT_TRUE(is_vertex_transitive(binary_cube(6)));
  EXPECT_TRUE(is_vertex_transitive(torus_of({3, 4, 5})));
  EXPECT_TRUE(is_vertex_transitive(petersen()));
  EXPECT_TRUE(is_vertex_transitive(complete_graph(1)));
}

TEST(VertexTransitive, are_not_paths_nor_stars) {
  EXPECT_FALSE(is_vertex_transitive(from_cables(3, {{0, 1}, {1, 2}})));
  EXPECT_FALSE(is_vertex_transitive(from_cables(4, {{0, 1}, {0, 2}, {0, 3}})));
}

TEST(VertexTransitive, is_kautz_of_words_of_two_letters) {
  EXPECT_TRUE(is_vertex_transitive(kautz_of_words(3, 2)));   // S_4 acts on ordered pairs
  EXPECT_FALSE(is_vertex_transitive(kautz_of_words(3, 3)));  // aba and abc differ
}

TEST(VertexTransitive, sees_parallel_links_and_loops) {
  // A square with doubled opposite sides is transitive, with adjacent ones it is not.
  EXPECT_TRUE(
      is_vertex_transitive(from_cables(4, {{0, 1}, {0, 1}, {1, 2}, {2, 3}, {2, 3}, {3, 0}})));
  EXPECT_FALSE(
      is_vertex_transitive(from_cables(4, {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {2, 3}, {3, 0}})));
  EXPECT_FALSE(is_vertex_transitive(from_arcs(3, {{0, 1}, {1, 2}, {2, 0}, {0, 0}})));
  EXPECT_TRUE(is_vertex_transitive(from_arcs(3, {{0, 1}, {1, 2}, {2, 0}, {0, 0}, {1, 1}, {2, 2}})));
  // Doubled one way only: 3 cycles, two of them one way round and one the other.
  EXPECT_TRUE(is_vertex_transitive(
      from_arcs(3, {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {2, 0}, {2, 0}, {1, 0}, {2, 1}, {0, 2}})));
}

TEST(VertexTransitive, asks_for_the_switches_where_there_are_any) {
  EXPECT_TRUE(is_vertex_transitive(make_topology("hosts(3, torus:3x4)")));
  EXPECT_FALSE(is_vertex_transitive(make_topology("fat-tree:4,2")));  // leaves and tops differ
}

TEST(ReverseSymmetric, are_all_bidirectional_networks) {
  EXPECT_TRUE(is_reverse_symmetric(petersen()));
  EXPECT_TRUE(is_reverse_symmetric(from_cables(4, {{0, 1}, {0, 2}, {2, 2}})));
}

TEST(ReverseSymmetric, are_one_way_rings_and_kautz) {
  EXPECT_TRUE(is_reverse_symmetric(one_way_cycle(7)));
  EXPECT_TRUE(is_reverse_symmetric(kautz_of_words(2, 3)));  // read the words backwards
}

TEST(ReverseSymmetric, are_not_out_trees) {
  EXPECT_FALSE(is_reverse_symmetric(from_arcs(3, {{0, 1}, {0, 2}})));
  // Equal in- and out-degrees do not suffice: the loop's node is followed by, not preceded by, a
  // double link.
  EXPECT_FALSE(
      is_reverse_symmetric(from_arcs(4, {{0, 0}, {0, 1}, {0, 1}, {1, 2}, {2, 3}, {3, 0}})));
}

// By trying all relabellings: adjacency counts, with node kinds all alike.
using Counts = std::map<std::pair<int, int>, int>;

Counts counts_of(const Topology& topology, bool transposed) {
  Counts counts;
  for (LinkId link : topology.links()) {
    std::pair ends(topology.tail(link).value(), topology.head(link).value());
    if (transposed) std::swap(ends.first, ends.second);
    ++counts[ends];
  }
  return counts;
}

template <class Visit>
void for_isomorphisms(int nodes, const Counts& from, const Counts& to, Visit visit) {
  std::vector<int> image(static_cast<std::size_t>(nodes));
  std::iota(image.begin(), image.end(), 0);
  do {
    Counts mapped;
    for (auto [ends, count] : from) mapped[{image[ends.first], image[ends.second]}] = count;
    if (mapped == to) visit(image);
  } while (std::next_permutation(image.begin(), image.end()));
}

TEST(Symmetry, of_random_networks_agrees_with_all_relabellings) {
  int transitive = 0, reversible = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const int nodes = 2 + static_cast<int>(rng.below(4));
    const int links = static_cast<int>(rng.below(3 * nodes));
    const Topology topology = seed % 3 == 0   ? random_arcs(nodes, links, rng)
                              : seed % 3 == 1 ? random_cables(nodes, links, rng)
                                              : random_permutations(nodes, 4, rng);
    const Counts counts = counts_of(topology, false);
    std::vector<bool> reached(static_cast<std::size_t>(nodes), false);
    for_isomorphisms(nodes, counts, counts,
                     [&](const std::vector<int>& image) { reached[image[0]] = true; });
    const bool all = std::count(reached.begin(), reached.end(), true) == nodes;
    bool reverses = false;
    for_isomorphisms(nodes, counts, counts_of(topology, true),
                     [&](const std::vector<int>&) { reverses = true; });
    EXPECT_EQ(is_vertex_transitive(topology), all);
    EXPECT_EQ(is_reverse_symmetric(topology), reverses);
    transitive += all;
    reversible += seed % 3 == 0 && reverses;
  }
  EXPECT_GT(transitive, 20);  // the instances are not all of one kind
  EXPECT_GT(reversible, 10);
}

TEST(Symmetry, of_random_one_way_rings_with_chords_agrees_with_all_relabellings) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const int nodes = 5 + static_cast<int>(rng.below(2));
    const int chord = 2 + static_cast<int>(rng.below(nodes - 2));
    std::vector<Ends> arcs;
    for (int v = 0; v < nodes; ++v) {
      arcs.emplace_back(v, (v + 1) % nodes);
      if (seed % 2 == 0 || v != 0) arcs.emplace_back(v, (v + chord) % nodes);
    }
    const Topology topology = from_arcs(nodes, arcs);
    const Counts counts = counts_of(topology, false);
    std::vector<bool> reached(static_cast<std::size_t>(nodes), false);
    for_isomorphisms(nodes, counts, counts,
                     [&](const std::vector<int>& image) { reached[image[0]] = true; });
    bool reverses = false;
    for_isomorphisms(nodes, counts, counts_of(topology, true),
                     [&](const std::vector<int>&) { reverses = true; });
    EXPECT_EQ(is_vertex_transitive(topology),
              std::count(reached.begin(), reached.end(), true) == nodes);
    EXPECT_EQ(is_reverse_symmetric(topology), reverses);
  }
}

}  // namespace
}  // namespace weft::analysis
