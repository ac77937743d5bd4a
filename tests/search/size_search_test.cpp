// Searches of one size: what they find costs what it says, every time.
#include "weft/search/size_search.hpp"

#include <gtest/gtest.h>

#include "weft/search/graph_search_kernel.hpp"
#include "weft/search/searched_catalogue.hpp"

namespace weft::search {
namespace {

// 1 + 3 + 6 + 12 = 22 nodes are within 3 steps of a node of a cubic graph; 1 + 2 + 4 + 8 = 15 of
// one with two links out.
TEST(SizeSearch, finds_graphs_near_the_bound_that_cost_what_they_say) {
  for (const auto& [size, least] :
       {std::pair(SearchedSize{.nodes = 26, .degree = 3}, 4),
        {SearchedSize{.nodes = 21, .degree = 2, .direction = Direction::one_way}, 4}}) {
    const SizeSearch found = search_size(size);
    EXPECT_TRUE(found.complete);
    ASSERT_FALSE(found.results.empty());
    EXPECT_GE(found.results.front().steps, least);
    EXPECT_LE(found.results.front().steps, least + 1);
    for (const SearchResult& graph : found.results) {
      EXPECT_EQ(graph.nodes, size.nodes);
      EXPECT_EQ(graph.degree, size.degree);
      EXPECT_EQ(graph.seed, kSizeSearchSeed);
      EXPECT_TRUE(holds(graph)) << graph.expression;
    }
    const SizeSearch again = search_size(size);
    ASSERT_EQ(again.results.size(), found.results.size());
    for (std::size_t i = 0; i < found.results.size(); ++i)
      EXPECT_EQ(again.results[i].expression, found.results[i].expression);
  }
}

TEST(SizeSearch, says_that_the_time_limit_ended_it) {
  const SizeSearch found = search_size({.nodes = 1500, .degree = 3}, 1e-6);
  EXPECT_FALSE(found.complete);
}

// Networks of two-way cables have an even number of ends; 5 nodes have 4 neighbours at most.
TEST(SizeSearch, takes_what_a_graph_search_takes) {
  constexpr Direction kOneWay = Direction::one_way;
  EXPECT_TRUE(can_search({.nodes = 24, .degree = 3}));
  EXPECT_TRUE(can_search({.nodes = 23, .degree = 4}));
  EXPECT_TRUE(can_search({.nodes = 23, .degree = 3, .direction = kOneWay}));
  EXPECT_TRUE(can_search({.nodes = 23, .degree = 2, .direction = kOneWay}));
  EXPECT_FALSE(can_search({.nodes = 23, .degree = 3}));
  EXPECT_FALSE(can_search({.nodes = 24, .degree = 2}));
  EXPECT_FALSE(can_search({.nodes = 24, .degree = kMostDegree + 1}));
  EXPECT_FALSE(can_search({.nodes = kMostNodes + 1, .degree = 4}));
  EXPECT_FALSE(can_search({.nodes = 5, .degree = 5, .direction = kOneWay}));
}

}  // namespace
}  // namespace weft::search
