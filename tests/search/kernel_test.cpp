#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "naive_allgather.hpp"
#include "support/graphs.hpp"
#include "weft/search/graph_search_kernel.hpp"
#include "weft/topology/group/group.hpp"

namespace weft::search {
namespace {

using support::naive_allgather;
using support::NaiveCost;

const char* const kGroups[] = {"Z7",        "Z12",           "Z16",
                               "Z4xZ4,k=3", "Z7xZ3,k=2",     "Z2^2xZ3,A=[[0,1],[1,1]]",
                               "D6",        "(Z3xZ2,k=2)xZ3"};

std::vector<Group::Element> draw_elements(const Group& group, int count, Rng& rng) {
  std::vector<Group::Element> elements;
  for (int i = 0; i < count; ++i)
    elements.push_back(1 + static_cast<Group::Element>(rng.below(group.order() - 1)));
  return elements;
}

Topology cayley_topology(const Group& group, const std::vector<Group::Element>& generators) {
  std::vector<support::Ends> arcs;
  for (Group::Element x = 0; x < group.order(); ++x)
    for (const Group::Element s : generators) arcs.emplace_back(x, group.multiply(x, s));
  return support::from_arcs(group.order(), arcs);
}

std::optional<CandidateCost> cayley_cost(const Group& group,
                                         const std::vector<Group::Element>& generators,
                                         const ParetoTargets& targets) {
  std::vector<std::vector<Node>> rows;
  std::vector<const Node*> next;
  for (const Group::Element s : generators) {
    const auto row = group.right_translation(s);
    rows.emplace_back(row.begin(), row.end());
  }
  for (const auto& row : rows) next.push_back(row.data());
  CandidateKernel kernel(group.order(), static_cast<int>(generators.size()));
  return kernel.cayley(next, targets);
}

NaiveCost as_naive(CandidateCost cost, int nodes, int degree) {
  return {cost.steps, bandwidth_factor(cost.load, nodes, degree)};
}

bool connected(const Topology& topology) {
  for (const auto& row : support::naive_distances(topology))
    for (const auto distance : row)
      if (distance == support::kFar) return false;
  return true;
}

TEST(CandidateKernel, equals_the_definition_on_cayley_digraphs) {
  for (int seed = 0; seed < 120; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    const Group group = Group::parse(kGroups[seed % 8]);
    const int degree = 2 + seed % 4;
    const auto generators = draw_elements(group, degree, rng);
    const Topology topology = cayley_topology(group, generators);
    const auto cost = cayley_cost(group, generators, {});
    ASSERT_EQ(cost.has_value(), connected(topology)) << group.text() << " seed " << seed;
    if (cost) {
      EXPECT_EQ(as_naive(*cost, group.order(), degree), naive_allgather(topology))
          << group.text() << " seed " << seed;
    }
  }
}

struct RandomGraph {
  InNeighbours rows;
  Topology topology;
};

// Random permutations as links: in- and out-degrees are equal; self-loops and parallel links occur.
RandomGraph random_graph(int seed) {
  Rng rng(static_cast<std::uint64_t>(seed));
  const int nodes = 5 + seed % 12;
  InNeighbours graph{nodes, {}};
  std::vector<support::Ends> arcs;
  for (int r = 0; r < 2 + seed % 3; ++r) {
    std::vector<Node> tails(static_cast<std::size_t>(nodes));
    std::iota(tails.begin(), tails.end(), Node{0});
    rng.shuffle(tails);
    for (int v = 0; v < nodes; ++v) arcs.emplace_back(tails[v], v);
    graph.rows.push_back(std::move(tails));
  }
  return {std::move(graph), support::from_arcs(nodes, arcs)};
}

std::vector<Node> every_node(int nodes) {
  std::vector<Node> roots(static_cast<std::size_t>(nodes));
  std::iota(roots.begin(), roots.end(), Node{0});
  return roots;
}

TEST(CandidateKernel, equals_the_definition_on_graphs_without_symmetry) {
  for (int seed = 0; seed < 100; ++seed) {
    const RandomGraph graph = random_graph(seed);
    const int nodes = graph.rows.nodes, degree = graph.rows.degree();
    CandidateKernel kernel(nodes, degree);
    const auto cost = kernel.rooted(graph.rows, every_node(nodes), {});
    ASSERT_EQ(cost.has_value(), connected(graph.topology)) << "seed " << seed;
    if (cost) {
      EXPECT_EQ(as_naive(*cost, nodes, degree), naive_allgather(graph.topology)) << "seed " << seed;
    }
  }
}

TEST(CandidateKernel, counts_pairs_further_apart) {
  for (int seed = 0; seed < 60; ++seed) {
    const RandomGraph graph = random_graph(seed);
    const auto distance = support::naive_distances(graph.topology);
    CandidateKernel kernel(graph.rows.nodes, graph.rows.degree());
    for (int steps = 0; steps < 5; ++steps) {
      std::int64_t far = 0;
      for (const auto& row : distance)
        far += std::count_if(row.begin(), row.end(), [&](auto d) { return d > steps; });
      EXPECT_EQ(kernel.far_pairs(graph.rows, every_node(graph.rows.nodes), steps, INT64_MAX), far)
          << "seed " << seed << " steps " << steps;
    }
  }
}

// A refusal is sound: whatever the targets, a candidate that improves on them is costed.
TEST(CandidateKernel, refuses_only_what_cannot_improve) {
  for (int seed = 0; seed < 200; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    const Group group = Group::parse(kGroups[seed % 8]);
    const auto generators = draw_elements(group, 3, rng);
    const auto cost = cayley_cost(group, generators, {});
    if (!cost) continue;
    for (int steps = cost->steps - 1; steps <= cost->steps + 1; ++steps) {
      for (std::int64_t load = cost->load - 1; load <= cost->load + 1; ++load) {
        ParetoTargets targets;
        targets.improve({steps, load});
        const bool better = steps > cost->steps || load > cost->load;
        EXPECT_EQ(cayley_cost(group, generators, targets).has_value(), better)
            << group.text() << " seed " << seed << " steps " << steps << " load " << load;
      }
    }
  }
}

TEST(ParetoTargets, take_ties_when_told_to) {
  ParetoTargets targets;
  targets.accept_ties();
  EXPECT_TRUE(targets.improve({4, 20}));
  EXPECT_TRUE(targets.improve({4, 20}));
  EXPECT_FALSE(targets.improve({4, 21}));
  EXPECT_EQ(targets.front(), (std::vector<CandidateCost>{{4, 20}}));
}

TEST(ParetoTargets, keep_the_least_load_for_each_number_of_steps) {
  ParetoTargets targets;
  EXPECT_TRUE(targets.improve({4, 20}));
  EXPECT_TRUE(targets.improve({3, 30}));
  EXPECT_FALSE(targets.improve({4, 20}));
  EXPECT_FALSE(targets.improve({5, 25}));
  EXPECT_TRUE(targets.improve({6, 10}));
  EXPECT_TRUE(targets.improve({4, 15}));
  EXPECT_EQ(targets.front(), (std::vector<CandidateCost>{{3, 30}, {4, 15}, {6, 10}}));
  EXPECT_FALSE(targets.open(7, 10));
  EXPECT_TRUE(targets.open(5, 14));
}

}  // namespace
}  // namespace weft::search
