#include "weft/network/routing/tree/edge_colouring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "weft/base/random.hpp"

namespace weft::network {
namespace {

/// Edges at random between so many vertices, none of which gets more than `most`.
std::vector<BipartiteEdge> random_edges(std::int32_t left, std::int32_t right, std::int32_t most,
                                        int tries, Rng& rng) {
  std::vector<std::int32_t> left_degree(static_cast<std::size_t>(left), 0),
      right_degree(static_cast<std::size_t>(right), 0);
  std::vector<BipartiteEdge> edges;
  for (int i = 0; i < tries; ++i) {
    const BipartiteEdge edge{static_cast<std::int32_t>(rng.below(left)),
                             static_cast<std::int32_t>(rng.below(right))};
    auto& l = left_degree[edge.left];
    auto& r = right_degree[edge.right];
    if (l == most || r == most) continue;
    ++l;
    ++r;
    edges.push_back(edge);
  }
  return edges;
}

void expect_proper(const std::vector<BipartiteEdge>& edges, std::int32_t colours) {
  const auto colour_of = colour_edges(edges, colours);
  ASSERT_EQ(colour_of.size(), edges.size());
  std::set<std::pair<std::int32_t, std::int32_t>> left, right;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    ASSERT_GE(colour_of[i], 0);
    ASSERT_LT(colour_of[i], colours);
    ASSERT_TRUE(left.insert({edges[i].left, colour_of[i]}).second);
    ASSERT_TRUE(right.insert({edges[i].right, colour_of[i]}).second);
  }
}

TEST(EdgeColouring, is_proper_on_random_multigraphs) {
  Rng rng(3);
  for (int trial = 0; trial < 400; ++trial) {
    const auto left = static_cast<std::int32_t>(1 + rng.below(12));
    const auto right = static_cast<std::int32_t>(1 + rng.below(12));
    const auto colours = static_cast<std::int32_t>(1 + rng.below(17));
    SCOPED_TRACE(trial);
    expect_proper(random_edges(left, right, colours, static_cast<int>(rng.below(300)), rng),
                  colours);
  }
}

TEST(EdgeColouring, needs_no_more_colours_than_the_degree_of_regular_graphs) {
  // K_{n,n} with every edge k times: nk colours, for odd and even nk.
  for (const std::int32_t n : {1, 2, 3, 5, 8})
    for (const std::int32_t k : {1, 2, 3}) {
      std::vector<BipartiteEdge> edges;
      for (std::int32_t i = 0; i < n * n * k; ++i) edges.push_back({i % n, i / n % n});
      expect_proper(edges, n * k);
    }
}

TEST(EdgeColouring, deals_the_colours_evenly_over_vertices_of_one_edge) {
  std::vector<BipartiteEdge> edges;
  for (std::int32_t i = 0; i < 24; ++i) edges.push_back({i, i});
  std::vector<int> times(6, 0);
  for (const std::int32_t colour : colour_edges(edges, 6)) ++times[colour];
  EXPECT_EQ(times, (std::vector<int>(6, 4)));
}

TEST(EdgeColouring, of_no_edges_is_empty) {
  EXPECT_TRUE(colour_edges({}, 3).empty());
}

}  // namespace
}  // namespace weft::network
