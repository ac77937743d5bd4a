#include "weft/graph_solvers/automorphisms.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace weft::graph {
namespace {

using Permutation = std::vector<int>;

ColouredGraph nodes_of(const std::vector<std::int64_t>& colours) {
  ColouredGraph graph;
  for (const std::int64_t colour : colours) graph.add_node(colour);
  return graph;
}

ColouredGraph two_way(const std::vector<std::int64_t>& colours,
                      const std::vector<std::pair<int, int>>& edges) {
  ColouredGraph graph = nodes_of(colours);
  for (const auto& [u, v] : edges) {
    graph.add_arc(u, v);
    graph.add_arc(v, u);
  }
  return graph;
}

// Outer and inner cycle of five, the inner one in steps of `step`: 2 is Petersen's graph, 1 the
// prism. Node v has the number turn * v + shift mod 10.
ColouredGraph generalized_petersen(int step, int turn = 1, int shift = 0) {
  const auto name = [&](int v) { return (turn * v + shift) % 10; };
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 5; ++i) {
    edges.emplace_back(name(i), name((i + 1) % 5));
    edges.emplace_back(name(i), name(i + 5));
    edges.emplace_back(name(i + 5), name((i + step) % 5 + 5));
  }
  return two_way(std::vector<std::int64_t>(10, 0), edges);
}

// K3,3; `right` is the colour of its second side.
ColouredGraph k33(std::int64_t right) {
  std::vector<std::pair<int, int>> edges;
  for (int u = 0; u < 3; ++u)
    for (int v = 3; v < 6; ++v) edges.emplace_back(u, v);
  return two_way({0, 0, 0, right, right, right}, edges);
}

ColouredGraph one_way_ring(int nodes) {
  ColouredGraph graph = nodes_of(std::vector<std::int64_t>(static_cast<std::size_t>(nodes), 0));
  for (int v = 0; v < nodes; ++v) graph.add_arc(v, (v + 1) % nodes);
  return graph;
}

// How many permutations the generators make.
std::size_t group_order(const std::vector<Permutation>& generators, int nodes) {
  Permutation identity(static_cast<std::size_t>(nodes));
  std::iota(identity.begin(), identity.end(), 0);
  std::set<Permutation> seen{identity};
  std::vector<Permutation> waiting{identity};
  while (!waiting.empty()) {
    const Permutation element = std::move(waiting.back());
    waiting.pop_back();
    for (const Permutation& generator : generators) {
      Permutation product;
      for (const int image : element) product.push_back(generator[image]);
      if (seen.insert(product).second) waiting.push_back(product);
    }
  }
  return seen.size();
}

std::size_t order_of(const ColouredGraph& graph, ArcReverses reverses) {
  return group_order(automorphism_generators(graph, reverses), graph.node_count());
}

TEST(Automorphisms, make_the_known_groups) {
  // Petersen: S5. Prism of five: D5 x Z2. K3,3: S3 wr Z2, without the exchange of coloured sides.
  for (const ArcReverses by : {ArcReverses::all_there, ArcReverses::some_missing}) {
    EXPECT_EQ(order_of(generalized_petersen(2), by), 120u);
    EXPECT_EQ(order_of(generalized_petersen(1), by), 20u);
    EXPECT_EQ(order_of(k33(0), by), 72u);
    EXPECT_EQ(order_of(k33(1), by), 36u);
  }
  EXPECT_EQ(order_of(one_way_ring(7), ArcReverses::some_missing), 7u);  // turns alone
}

TEST(Automorphisms, have_orbits_named_by_their_least_node) {
  const ColouredGraph path = two_way({0, 0, 0}, {{0, 1}, {1, 2}});
  EXPECT_EQ(automorphism_orbits(path, ArcReverses::all_there), (std::vector<int>{0, 1, 0}));
  const ColouredGraph painted = two_way({5, 0, -5}, {{0, 1}, {1, 2}});
  EXPECT_EQ(automorphism_orbits(painted, ArcReverses::all_there), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(automorphism_orbits(k33(1), ArcReverses::all_there),
            (std::vector<int>{0, 0, 0, 3, 3, 3}));
  EXPECT_EQ(automorphism_orbits(one_way_ring(4), ArcReverses::some_missing),
            (std::vector<int>{0, 0, 0, 0}));
}

TEST(Automorphisms, give_isomorphic_graphs_one_form) {
  const auto petersen = canonical_form(generalized_petersen(2));
  EXPECT_EQ(petersen, canonical_form(generalized_petersen(2, 3, 4)));
  EXPECT_EQ(petersen, canonical_form(generalized_petersen(3))) << "steps of 3 back are steps of 2";
  EXPECT_NE(petersen, canonical_form(generalized_petersen(1)));
}

// nauty has one state for all that call it.
TEST(Automorphisms, are_the_same_from_several_threads) {
  std::vector<std::size_t> orders(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < orders.size(); ++i)
    threads.emplace_back([&orders, i] {
      for (int round = 0; round < 20; ++round)
        orders[i] +=
            order_of(i % 2 == 0 ? generalized_petersen(2) : k33(0), ArcReverses::all_there) +
            automorphism_orbits(one_way_ring(50), ArcReverses::some_missing).size();
    });
  for (std::thread& thread : threads) thread.join();
  constexpr std::size_t petersen = 3400, k = 2440;  // 20 times 120 + 50 and 72 + 50
  EXPECT_EQ(orders, (std::vector<std::size_t>{petersen, k, petersen, k}));
}

}  // namespace
}  // namespace weft::graph
