// Trees that share no link, and broadcasts pipelined over them.
#include "weft/algorithm/disjoint_trees.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/trees/tree_graph.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using trees::Arc;
using trees::Growth;
using trees::Tree;
using trees::TreeGraph;

using test::on;

/// Link-disjoint ways from one node to another, one augmenting way after the other over an n x n
/// table of links left: slow and plain.
std::int64_t ways(const TreeGraph& graph, std::int32_t from, std::int32_t to) {
  const auto n = static_cast<std::size_t>(graph.nodes());
  std::vector<std::vector<int>> left(n, std::vector<int>(n, 0));
  for (std::int32_t u = 0; u < graph.nodes(); ++u)
    for (const Arc& arc : graph.from(u)) ++left[u][arc.node];
  const auto source = static_cast<std::size_t>(from), sink = static_cast<std::size_t>(to);
  for (std::int64_t found = 0;; ++found) {
    std::vector<std::size_t> before(n, n), queue{source};
    before[source] = source;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (std::size_t v = 0; v < n; ++v)
        if (before[v] == n && left[queue[i]][v] > 0) {
          before[v] = queue[i];
          queue.push_back(v);
        }
    if (before[sink] == n) return found;
    for (std::size_t v = sink; v != source; v = before[v]) {
      --left[before[v]][v];
      ++left[v][before[v]];
    }
  }
}

const std::vector<std::string> kTopologies{"kautz:2,2",
                                           "kautz:3,2",
                                           "kautz:2,4",
                                           "kautz:4,3",
                                           "genkautz:3,11",
                                           "genkautz:4,26",
                                           "genkautz:2,15",
                                           "hamming:3x4",
                                           "hamming:2x3x4",
                                           "complete:7",
                                           "ring:6",
                                           "hypercube:4",
                                           "torus:3x5",
                                           "mesh:3x4",
                                           "debruijn:2,4",
                                           "diamond",
                                           "uniring:5",
                                           "random-regular:24,5,seed=3",
                                           "random-regular:40,4,seed=2",
                                           "hosts(1, kautz:3,2)",
                                           "without(link=7, kautz:3,2)"};

TEST(PackTrees, packs_as_many_trees_as_there_are_disjoint_ways) {
  for (const std::string& topology : kTopologies)
    for (const Growth growth : {Growth::outgoing, Growth::incoming}) {
      const BuiltTopology built = build_topology(topology);
      const TreeGraph graph(built.topology, growth);
      const std::int32_t root = graph.nodes() / 3;
      const std::vector<Tree> packed = trees::pack_trees(graph, root);
      std::int64_t most = graph.nodes() == 1 ? 0 : INT64_MAX;
      for (std::int32_t v = 0; v < graph.nodes(); ++v)
        if (v != root) most = std::min(most, ways(graph, root, v));
      EXPECT_EQ(std::ssize(packed), most) << topology;
      std::set<LinkId> used;
      for (const Tree& tree : packed)
        for (std::int32_t v = 0; v < graph.nodes(); ++v) {
          const auto& branch = tree.branches[v];
          if (v == root) continue;
          EXPECT_TRUE(used.insert(branch.link).second) << topology;
          EXPECT_EQ(branch.step, tree.branches[branch.parent].step + 1);
          EXPECT_TRUE(std::ranges::any_of(graph.from(branch.parent), [&](const Arc& arc) {
            return arc.node == v && arc.link == branch.link;
          })) << topology;
        }
    }
}

Cost cost_of(const Network& network, CollectiveKind kind, const char* algorithm,
             std::int64_t segments, std::int32_t root = 0) {
  const Schedule schedule =
      build_schedule(algorithm, {.kind = kind, .ranks = network.ranks(), .root = Rank(root)},
                     &network, {.values = {{"segments", segments}}});
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
}

// D + s - 1 steps in each of which a link carries M / (k s) at most: T_B = d / k (D + s - 1) / s.
TEST(DisjointTrees, broadcast_at_the_full_egress_of_the_root) {
  for (const auto& [topology, d, k] : {std::tuple("kautz:3,2", 3, 3),
                                       {"kautz:2,3", 2, 2},
                                       {"genkautz:4,24", 4, 3},
                                       {"hamming:3x4", 5, 5},
                                       {"hypercube:3", 3, 3},
                                       {"random-regular:24,5,seed=3", 5, 5}}) {
    const Network network = on(topology);
    const std::int32_t root = network.ranks() - 1;
    for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::reduce}) {
      const std::int64_t depth = cost_of(network, kind, "disjoint-trees", 1, root).steps;
      for (const std::int64_t s : {1, 2, 7, 1000}) {
        const Cost cost = cost_of(network, kind, "disjoint-trees", s, root);
        EXPECT_EQ(cost.steps, depth + s - 1) << topology;
        EXPECT_EQ(cost.bandwidth_factor, Rational(d, k) * Rational(cost.steps, s)) << topology;
      }
    }
  }
}

// One tree: a link carries M / s in each of its k + s - 1 steps.
TEST(DisjointTrees, one_tree_pipelines_at_the_rate_of_a_link) {
  for (const auto& [topology, d, k] : {std::tuple("kautz:3,2", 3, 2), {"kautz:2,4", 2, 4}})
    for (const char* algorithm : {"kautz-c", "multitree"})
      for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::reduce})
        for (const std::int64_t s : {1, 2, 50}) {
          const Cost cost = cost_of(on(topology), kind, algorithm, s);
          EXPECT_EQ(cost.steps, k + s - 1);
          EXPECT_EQ(cost.bandwidth_factor, Rational(d * (k + s - 1), s));
        }
}

// Up and down meet: at most twice the load of one of them in a step.
TEST(DisjointTrees, allreduce_in_twice_the_time_of_a_broadcast) {
  const Network network = on("kautz:3,2");
  const Cost cost = cost_of(network, CollectiveKind::allreduce, "disjoint-trees", 1000);
  EXPECT_GE(cost.bandwidth_factor, Rational(2 * 11, 12));
  EXPECT_LE(cost.bandwidth_factor, Rational(2 * cost.steps, 1000));
}

TEST(DisjointTrees, serves_no_allgather) {
  EXPECT_THROW(disjoint_trees(build_topology("kautz:2,2").topology, schedule::allgather(6)),
               InvalidInput);
  EXPECT_THROW(disjoint_trees(build_topology("kautz:2,2").topology, schedule::broadcast(5)),
               InvalidInput);
  EXPECT_THROW(disjoint_trees(build_topology("kautz:2,2").topology, schedule::broadcast(6), 0),
               InvalidInput);
}

}  // namespace
}  // namespace weft::algorithm
