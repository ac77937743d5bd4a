#include "../../src/weft/search/finder/traits.hpp"

#include "../../src/weft/search/finder/catalogue_data.hpp"

#include <gtest/gtest.h>

#include "weft/algorithm/expansion.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

// The same facts by building and measuring the schedules of both ways.
void expect_facts(const std::string& expression, std::vector<std::int32_t> roots) {
  SCOPED_TRACE(expression);
  const auto facts = bfb_facts(make_topology(expression), roots);
  const auto measured = algorithm::predict(topology::parse_expression(expression));
  EXPECT_EQ(facts.nodes, measured.nodes);
  EXPECT_EQ(facts.degree, measured.degree);
  EXPECT_EQ(facts.steps, measured.steps);
  EXPECT_EQ(facts.bandwidth_factor, measured.bandwidth_factor);
  EXPECT_EQ(facts.loops, measured.loops);
  EXPECT_EQ(facts.parallel, measured.parallel);
  EXPECT_EQ(facts.branching, measured.branching);
  EXPECT_EQ(facts.optimal_bfb, measured.optimal_bfb);
  // Of one schedule more may be tight than of all best ones.
  EXPECT_LE(facts.tight, measured.tight);
  if (facts.tight == measured.tight) {
    EXPECT_EQ(facts.reversible, measured.reversible);
  }
}

TEST(Traits, are_those_of_measured_schedules) {
  for (const char* network :
       {"circulant:16,3,4", "directed-circulant:3", "genkautz:2,9", "genkautz:3,13", "debruijn:2,3",
        "kautz:2,2", "biring:4,5", "uniring:5", "uniring:2,4", "twisted-hypercube:3"})
    expect_facts(network, {});
}

TEST(Traits, of_cayley_networks_and_lifts_need_one_node_an_orbit) {
  for (const char* network : {"cayley:Z8xZ2,k=7;(1,0),(6,0),(0,1),(3,1)", "cayley:Z21;1,5,9",
                              "cayley:Z3;1,2", "circulant:20,1,6"})
    expect_facts(network, {0});
  expect_facts("lift:Z7;0>1:6,0>0:2,1>0:2,1>1:6", {0, 7});
}

// What theory says of two-way networks, against the schedules' loads.
TEST(Traits, of_searched_two_way_networks_are_those_of_their_loads) {
  for (const char* expression : {"random-regular:20,3,seed=4", "cayley:Z8xZ2,k=7;(0,1),(2,1),(3,1)",
                                 "circulant:18,1,4,9", "biring:4,6"}) {
    const auto facts = bfb_facts(make_topology(expression));
    SearchResult graph{.expression = expression,
                       .nodes = static_cast<int>(facts.nodes),
                       .degree = static_cast<int>(facts.degree),
                       .direction = Direction::bidirectional,
                       .steps = static_cast<int>(facts.steps),
                       .bandwidth_factor = facts.bandwidth_factor,
                       .how = "random"};
    EXPECT_EQ(compute_traits(graph),
              traits_of({.expression = expression, .facts = facts, .cabled = true, .source = {}}))
        << expression;
  }
}

TEST(Traits, refuse_networks_without_them) {
  EXPECT_THROW(bfb_facts(make_topology("mesh:3x3")), InvalidInput);
  EXPECT_THROW(bfb_facts(make_topology("genkautz:1,3")), InvalidInput);
}

}  // namespace
}  // namespace weft::search
