// Networks of sizes beyond the catalogue: what they are, and that they cost what they say.
#include "weft/search/samples.hpp"

#include <gtest/gtest.h>

#include "../../src/weft/search/finder/cayley_samples.hpp"
#include "naive_allgather.hpp"
#include "support/samples.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/search/searched_catalogue.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

void expect_regular_and_two_way(const Topology& topology, const SearchResult& graph) {
  EXPECT_EQ(topology.name(), graph.expression);
  EXPECT_EQ(topology.node_count(), graph.nodes);
  EXPECT_EQ(topology.nominal_degree(), graph.degree);
  EXPECT_TRUE(analysis::is_bidirectional(topology)) << graph.expression;
  for (const NodeId node : topology.nodes())
    EXPECT_EQ(topology.out_degree(node), graph.degree) << graph.expression;
}

// By the definition: every node, every step, every set of in-links. 23 is a prime, 26 twice one,
// 24 has many groups; degree 9 has circulants alone.
TEST(SampledGraphs, of_small_sizes_cost_what_the_definition_says) {
  for (const int nodes : {23, 24, 26})
    for (const int degree : {3, 4, 5, 6, 7, 9}) {
      const auto graphs = sampled_graphs(nodes, degree);
      EXPECT_EQ(graphs.empty(), nodes * degree % 2 == 1) << nodes << " nodes, degree " << degree;
      for (const SearchResult& graph : graphs) {
        const Topology topology = make_topology(graph.expression);
        expect_regular_and_two_way(topology, graph);
        const auto cost = support::naive_allgather(topology);
        EXPECT_EQ(cost.steps, graph.steps) << graph.expression;
        EXPECT_EQ(cost.bandwidth_factor, graph.bandwidth_factor) << graph.expression;
        EXPECT_GE(graph.steps, moore_steps(nodes, degree, Direction::bidirectional));
      }
    }
}

// Beyond the catalogue. Twice a prime: no group but the cyclic and the dihedral one.
TEST(SampledGraphs, of_large_sizes_cost_what_they_say_from_every_node) {
  for (const int degree : {3, 6}) {
    const auto graphs = sampled_graphs(2018, degree);
    ASSERT_FALSE(graphs.empty());
    EXPECT_LE(graphs.front().steps, moore_steps(2018, degree, Direction::bidirectional) + 4);
    for (const SearchResult& graph : graphs) EXPECT_TRUE(holds(graph)) << graph.expression;
  }
}

// 17,000 nodes are more than the graph search takes. A group that does not commute comes within a
// few steps of the Moore bound, where circulants of two jumps need 92 (2 m (m + 1) + 1 >= N).
TEST(SampledGraphs, are_circulants_and_cayley_graphs_where_graphs_are_too_large_to_search) {
  for (const int degree : test::samples({4, 5, 6})) {
    const auto graphs = sampled_graphs(17'000, degree);
    ASSERT_FALSE(graphs.empty());
    for (const SearchResult& graph : graphs) {
      EXPECT_TRUE(graph.expression.starts_with("circulant:17000,") ||
                  graph.expression.starts_with("cayley:"))
          << graph.expression;
      const Topology topology = make_topology(graph.expression);
      expect_regular_and_two_way(topology, graph);
      EXPECT_EQ(analysis::summarize_distances(topology).diameter(), graph.steps);
    }
    EXPECT_LE(graphs.front().steps, 2 * moore_steps(17'000, degree, Direction::bidirectional));
  }
}

// 24 and 26 have groups that do not commute; 23 has none.
TEST(SampledGraphs, of_cayley_graphs_cost_what_the_definition_says) {
  EXPECT_TRUE(best_cayley_graphs(23, 4, 8, Rng(1)).empty());
  for (const int nodes : {24, 26})
    for (const int degree : {3, 4, 5, 6}) {
      const auto graphs = best_cayley_graphs(nodes, degree, 100, Rng(1));
      EXPECT_FALSE(graphs.empty()) << nodes << " nodes, degree " << degree;
      for (const SearchResult& graph : graphs) {
        const Topology topology = make_topology(graph.expression);
        expect_regular_and_two_way(topology, graph);
        const auto cost = support::naive_allgather(topology);
        EXPECT_EQ(cost.steps, graph.steps) << graph.expression;
        EXPECT_EQ(cost.bandwidth_factor, graph.bandwidth_factor) << graph.expression;
      }
    }
}

TEST(SampledGraphs, are_none_out_of_range) {
  EXPECT_TRUE(sampled_graphs(24, 2).empty());
  EXPECT_TRUE(sampled_graphs(24, 17).empty());
  EXPECT_TRUE(sampled_graphs(5, 6).empty());
  EXPECT_TRUE(sampled_graphs(99'999'998, 4).empty());
}

}  // namespace
}  // namespace weft::search
