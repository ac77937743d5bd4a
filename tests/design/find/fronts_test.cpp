// The networks that weft find knows: spliced ones among them, and which fronts need a search.
#include "weft/design/find/fronts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/judges/naive_bfb.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {
namespace {

using search::FoundFront;
using search::FoundTopology;

FoundFront front_of(const FindQuestion& asked) {
  return known_fronts(asked, search::Catalogue::by_rule()).front();
}

bool is_spliced(const FoundTopology& line) {
  return line.expression.starts_with("splice(");
}

// By the definition: every node, every step, every set of in-links.
TEST(KnownFronts, have_spliced_networks_with_their_exact_costs) {
  int spliced = 0;
  for (const auto& [nodes, degree] : {std::pair(9, 3), {15, 3}, {23, 3}, {37, 3}}) {
    const FoundFront front = front_of({.nodes = {nodes}, .degree = degree});
    for (const FoundTopology& line : front.front) {
      if (!is_spliced(line)) continue;
      ++spliced;
      const Topology topology = make_topology(line.expression);
      EXPECT_EQ(line.facts.steps, analysis::summarize_distances(topology).diameter());
      EXPECT_EQ(line.facts.bandwidth_factor, support::naive_bfb_factor(Fabric(topology, {})))
          << line.expression;
      // The node with a port less takes N - 1 blocks through d - 1 ports.
      EXPECT_GE(line.facts.bandwidth_factor,
                Rational(nodes - 1, nodes) * Rational(degree, degree - 1));
    }
  }
  EXPECT_GE(spliced, 3);
}

// Rings of 101 nodes take 50 steps. Random cubic graphs have diameters near log2 N.
TEST(KnownFronts, splice_to_few_steps) {
  const FoundFront front = front_of({.nodes = {101}, .degree = 3});
  ASSERT_FALSE(front.front.empty());
  EXPECT_TRUE(is_spliced(front.front.front()));
  EXPECT_LE(front.front.front().facts.steps, 12);
}

TEST(KnownFronts, are_pareto_fronts_of_the_sizes_asked_for) {
  const auto fronts =
      known_fronts({.nodes = {9, 10, 23, 37}, .degree = 3}, search::Catalogue::by_rule());
  ASSERT_EQ(fronts.size(), 4U);
  EXPECT_EQ(fronts[2].nodes, 23);
  for (const FoundFront& front : fronts)
    for (std::size_t i = 1; i < front.front.size(); ++i) {
      EXPECT_GT(front.front[i].facts.steps, front.front[i - 1].facts.steps);
      EXPECT_LT(front.front[i].facts.bandwidth_factor, front.front[i - 1].facts.bandwidth_factor);
    }
}

// Even sizes, even degrees and one-way links fill all ports without.
TEST(KnownFronts, splice_only_where_a_port_has_to_stay_idle) {
  for (const FindQuestion& asked :
       {FindQuestion{.nodes = {10}, .degree = 3}, FindQuestion{.nodes = {11}, .degree = 4},
        FindQuestion{.nodes = {11}, .degree = 3, .one_way = true}}) {
    const FoundFront front = front_of(asked);
    EXPECT_TRUE(std::ranges::none_of(front.front, is_spliced)) << front.nodes;
  }
}

// A cubic graph has 1 + 3 + 6 + 12 = 22 nodes within 3 steps: 26 nodes take 4 at least, so that 8
// steps are near and 9 are far.
TEST(KnownFronts, are_far_from_the_bound_above_twice_its_steps) {
  const FindQuestion asked{.nodes = {26}, .degree = 3};
  FoundFront front{26,
                   {{.expression = "a", .facts = {.steps = 4}, .source = ""},
                    {.expression = "b", .facts = {.steps = 8}, .source = ""}}};
  EXPECT_FALSE(is_far_from_bound(front, asked));
  front.front.back().facts.steps = 9;
  EXPECT_TRUE(is_far_from_bound(front, asked));
  EXPECT_FALSE(is_far_from_bound({9, {}}, {.nodes = {9}, .degree = 1})) << "pairs alone are wired";
}

}  // namespace
}  // namespace weft::design
