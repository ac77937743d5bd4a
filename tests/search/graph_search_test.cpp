#include "weft/search/graph_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "naive_allgather.hpp"
#include "weft/base/error.hpp"
#include "weft/search/searched_catalogue.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

constexpr double kNoTimeLimit = 1e9;

// Builds the expression and costs it by the definition.
void expect_exact(const SearchResult& result) {
  const Topology topology = make_topology(result.expression);
  EXPECT_EQ(topology.name(), result.expression);  // canonical
  EXPECT_EQ(topology.node_count(), result.nodes);
  EXPECT_EQ(topology.nominal_degree(), result.degree);
  const auto cost = support::naive_allgather(topology);
  EXPECT_EQ(cost.steps, result.steps) << result.expression;
  EXPECT_EQ(cost.bandwidth_factor, result.bandwidth_factor) << result.expression;
  for (const NodeId node : topology.nodes()) {
    EXPECT_EQ(topology.out_degree(node), result.degree) << result.expression;
    EXPECT_EQ(topology.in_degree(node), result.degree) << result.expression;
  }
  for (const LinkId link : topology.links()) {
    EXPECT_NE(topology.tail(link), topology.head(link)) << result.expression;
    if (result.direction == Direction::bidirectional) {
      EXPECT_TRUE(topology.reverse(link)) << result.expression;
    }
  }
}

class GraphSearch : public ::testing::TestWithParam<SearchOptions> {};

TEST_P(GraphSearch, rebuilds_every_find_with_its_exact_cost) {
  int finds = 0;
  search_graphs(GetParam(), [&](const SearchResult& result) {
    expect_exact(result);
    ++finds;
    return true;
  });
  EXPECT_GT(finds, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, GraphSearch,
    ::testing::Values(
        SearchOptions{.nodes = 18, .degree = 4, .seconds = kNoTimeLimit, .slices = 40},
        SearchOptions{.nodes = 23, .degree = 3, .seconds = kNoTimeLimit, .slices = 30},
        SearchOptions{.nodes = 26, .degree = 2, .seconds = kNoTimeLimit, .slices = 60},
        SearchOptions{.nodes = 13, .degree = 8, .seconds = kNoTimeLimit, .slices = 12},
        SearchOptions{.nodes = 19,
                      .degree = 4,
                      .direction = Direction::bidirectional,
                      .seconds = kNoTimeLimit,
                      .slices = 30},
        SearchOptions{.nodes = 22,
                      .degree = 3,
                      .direction = Direction::bidirectional,
                      .seconds = kNoTimeLimit,
                      .slices = 60},
        SearchOptions{.nodes = 22,
                      .degree = 5,
                      .direction = Direction::bidirectional,
                      .seconds = kNoTimeLimit,
                      .slices = 20,
                      .kinds = Kinds::fresh},
        SearchOptions{.nodes = 29,
                      .degree = 2,
                      .direction = Direction::bidirectional,
                      .seconds = kNoTimeLimit,
                      .slices = 20}));

TEST(GraphSearch, finds_the_same_for_the_same_seed_and_slices) {
  const SearchOptions options{
      .nodes = 37, .degree = 4, .seed = 5, .seconds = kNoTimeLimit, .slices = 40};
  const SearchSummary first = search_graphs(options);
  const SearchSummary second = search_graphs(options);
  EXPECT_EQ(first.candidates, second.candidates);
  EXPECT_EQ(first.slices, 40);
  ASSERT_EQ(first.results.size(), second.results.size());
  for (std::size_t i = 0; i < first.results.size(); ++i) {
    EXPECT_EQ(first.results[i].expression, second.results[i].expression);
    EXPECT_EQ(first.results[i].slice, second.results[i].slice);
  }
}

TEST(GraphSearch, hands_over_ties_when_told_to) {
  SearchOptions options{.nodes = 16, .degree = 4, .seconds = kNoTimeLimit, .slices = 4};
  options.kinds = Kinds::symmetric;
  const SearchSummary strict = search_graphs(options);
  options.ties = Ties::accepted;
  std::set<std::string> best;
  search_graphs(options, [&](const SearchResult& result) {
    if (result.steps == strict.results.back().steps &&
        result.bandwidth_factor == strict.results.back().bandwidth_factor)
      best.insert(result.expression);
    return true;
  });
  EXPECT_GT(best.size(), 10u);
}

TEST(GraphSearch, finds_only_what_betters_the_known) {
  SearchOptions options{.nodes = 30, .degree = 4, .seconds = kNoTimeLimit, .slices = 20};
  const SearchSummary first = search_graphs(options);
  options.known = first.results;
  EXPECT_TRUE(search_graphs(options).results.empty());
}

// Three nodes more need three cuts, and the graph of three nodes has three cables.
TEST(GraphSearch, ends_where_bases_have_too_few_links_to_cut) {
  for (const int nodes : {4, 5, 6, 7})
    EXPECT_EQ(search_graphs({.nodes = nodes,
                             .degree = 2,
                             .seconds = kNoTimeLimit,
                             .slices = 60,
                             .kinds = Kinds::derived,
                             .ties = Ties::accepted})
                  .slices,
              60);
}

// 2 * 499 nodes have two groups, of which no cubic graph has few steps; random regular graphs do.
TEST(GraphSearch, draws_random_regular_graphs) {
  const SearchSummary summary = search_graphs({.nodes = 998,
                                               .degree = 3,
                                               .direction = Direction::bidirectional,
                                               .seconds = kNoTimeLimit,
                                               .slices = 24,
                                               .kinds = Kinds::fresh});
  ASSERT_FALSE(summary.results.empty());
  EXPECT_EQ(summary.results.front().how, "random");
  EXPECT_LE(summary.results.front().steps, 13);
  EXPECT_TRUE(holds(summary.results.front()));
}

TEST(GraphSearch, stops_after_the_slice_when_told_to) {
  int finds = 0;
  const SearchSummary summary = search_graphs({.nodes = 64, .degree = 4, .seconds = kNoTimeLimit},
                                              [&](const SearchResult&) { return ++finds < 1; });
  EXPECT_EQ(summary.slices, 1);
}

// T_L, T_B that a graph of this size can reach: (N - 1) / N everywhere, in these steps.
struct Reach {
  int nodes, steps;
  Direction direction;
  std::int64_t slices;
};

class Reached : public ::testing::TestWithParam<Reach> {};

TEST_P(Reached, the_bandwidth_bound_in_few_steps) {
  const Reach& reach = GetParam();
  const SearchSummary summary = search_graphs({.nodes = reach.nodes,
                                               .degree = 4,
                                               .direction = reach.direction,
                                               .seconds = kNoTimeLimit,
                                               .slices = reach.slices});
  const Rational bound(reach.nodes - 1, reach.nodes);
  int steps = 1 << 20;
  for (const SearchResult& result : summary.results)
    if (result.bandwidth_factor == bound) steps = std::min(steps, result.steps);
  EXPECT_LE(steps, reach.steps);
}

INSTANTIATE_TEST_SUITE_P(OneWay, Reached,
                         ::testing::Values(Reach{32, 3, Direction::one_way, 20},
                                           Reach{64, 4, Direction::one_way, 20},
                                           Reach{128, 4, Direction::one_way, 60},
                                           Reach{256, 5, Direction::one_way, 60}));
INSTANTIATE_TEST_SUITE_P(Bidirectional, Reached,
                         ::testing::Values(Reach{12, 2, Direction::bidirectional, 10},
                                           Reach{16, 3, Direction::bidirectional, 10},
                                           Reach{32, 4, Direction::bidirectional, 20},
                                           Reach{64, 5, Direction::bidirectional, 60},
                                           Reach{128, 6, Direction::bidirectional, 60}));

TEST(GraphSearch, rejects_sizes_out_of_range) {
  EXPECT_THROW(search_graphs({.nodes = 2, .degree = 2}), InvalidInput);
  EXPECT_THROW(search_graphs({.nodes = 100000, .degree = 4}), InvalidInput);
  EXPECT_THROW(search_graphs({.nodes = 10, .degree = 1}), InvalidInput);
  EXPECT_THROW(search_graphs({.nodes = 10, .degree = 9}), InvalidInput);
  EXPECT_THROW(search_graphs({.nodes = 4, .degree = 4}), InvalidInput);
  EXPECT_THROW(search_graphs({.nodes = 5, .degree = 3, .direction = Direction::bidirectional}),
               InvalidInput);
}

// 1 + 4 + 16 + 64 = 85 nodes in three steps; bidirectional 1 + 4 + 12 + 36 = 53.
TEST(MooreSteps, count_layers_of_full_growth) {
  EXPECT_EQ(moore_steps(85, 4, Direction::one_way), 3);
  EXPECT_EQ(moore_steps(86, 4, Direction::one_way), 4);
  EXPECT_EQ(moore_steps(53, 4, Direction::bidirectional), 3);
  EXPECT_EQ(moore_steps(54, 4, Direction::bidirectional), 4);
  EXPECT_EQ(moore_steps(7, 2, Direction::bidirectional), 3);
}

}  // namespace
}  // namespace weft::search
