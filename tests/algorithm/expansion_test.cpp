#include "weft/algorithm/expansion.hpp"

#include <gtest/gtest.h>

#include "support/even_bfb.hpp"
#include "support/executor.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

// The bases of these cases are distance-regular or one-way rings, on which the even split is the
// best BFB.
Bases even_bases() {
  return {.general = test::even_bfb, .quality = BaseQuality::bfb};
}

Network on(const std::string& expression) {
  const Fabric fabric(build_topology(expression));
  return {fabric,
          topology::place(fabric.topology(), {}),
          {},
          network::make_routing("shortest", fabric)};
}

schedule::Cost verified_cost(const schedule::Collective& collective, const Network& network,
                             const Bases& bases) {
  const Schedule schedule = expand(collective, network, bases);
  return cost(schedule::verify_own(schedule, &network.topology()), network);
}

struct Line {
  std::string expression;
  std::int64_t steps;
  Rational bandwidth_factor;
};

void expect_line(const Line& line) {
  const Network network = on(line.expression);
  const std::int32_t n = network.ranks();
  const auto& expression = network.topology().expression();
  const auto gather = verified_cost(schedule::allgather(n), network, even_bases());
  EXPECT_EQ(gather.steps, line.steps) << line.expression;
  EXPECT_EQ(gather.bandwidth_factor, line.bandwidth_factor) << line.expression;
  const Prediction predicted = predict(expression, Way::forward, even_bases());
  EXPECT_EQ(predicted.steps, line.steps) << line.expression;
  EXPECT_EQ(predicted.bandwidth_factor, line.bandwidth_factor) << line.expression;
  EXPECT_EQ(predicted.nodes, n) << line.expression;
  EXPECT_EQ(predicted.degree, network.topology().nominal_degree()) << line.expression;
  const auto all = verified_cost(schedule::allreduce(n), network, even_bases());
  EXPECT_EQ(all.steps, 2 * line.steps) << line.expression;
  EXPECT_EQ(all.bandwidth_factor, line.bandwidth_factor * 2) << line.expression;
}

TEST(Expansion, line_graphs_of_complete_bipartite_networks_are_those_of_table_7) {
  // K(4,4): 2 steps, 7/8. Each line graph adds a step and 1/N: 7/8 + 1/8 = 1, + 1/32, + 1/128.
  expect_line({"line(bipartite:4,4)", 3, Rational(1)});
  expect_line({"line^2(bipartite:4,4)", 4, Rational(33, 32)});
  expect_line({"line^3(bipartite:4,4)", 5, Rational(133, 128)});
}

TEST(Expansion, degree_expansion_keeps_the_bandwidth_factor_at_its_least) {
  // The example of figure 4: uniring:4 (3 steps, 3/4) of degree 1 becomes 8 nodes of degree 2.
  expect_line({"degree(2, uniring:4)", 4, Rational(7, 8)});
  expect_line({"degree(3, complete:4)", 2, Rational(11, 12)});
  expect_line({"degree(2, degree(2, complete:3))", 3, Rational(11, 12)});
}

TEST(Expansion, powers_keep_the_bandwidth_factor_at_its_least) {
  expect_line({"power(2, uniring:4)", 6, Rational(15, 16)});
  expect_line({"power(3, complete:3)", 3, Rational(26, 27)});
  expect_line({"complete:4 * complete:4", 2, Rational(15, 16)});
}

TEST(Expansion, expansions_of_expansions_add_up) {
  // N = 4, T_B = 3/4: power 16, 15/16; line 32 nodes, 15/16 + 1/16; degree 64, + 1/64.
  expect_line({"line(power(2, uniring:4))", 7, Rational(1)});
  expect_line({"degree(2, line(power(2, uniring:4)))", 8, Rational(65, 64)});
}

TEST(Expansion, line_graph_of_a_one_way_ring_is_that_ring) {
  expect_line({"line^2(uniring:5)", 4, Rational(4, 5)});
}

TEST(Expansion, one_copy_and_the_first_power_change_nothing) {
  expect_line({"degree(1, complete:4)", 1, Rational(3, 4)});
  expect_line({"power(1, complete:4)", 1, Rational(3, 4)});
}

}  // namespace
}  // namespace weft::algorithm
