// The lines of tables 4 and 7 that are expansions, as predicted; those of 1,024 nodes are built in
// expansion_slow_test.cpp.
#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/expansion.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

Prediction predicted(const std::string& expression) {
  return predict(topology::parse_expression(expression));
}

void expect_predicted(const std::string& expression, std::int64_t nodes, std::int64_t steps,
                      const Rational& factor) {
  const Prediction prediction = predicted(expression);
  EXPECT_TRUE(prediction.exact) << expression;
  EXPECT_EQ(prediction.degree, 4) << expression;
  EXPECT_EQ(prediction.nodes, nodes) << expression;
  EXPECT_EQ(prediction.steps, steps) << expression;
  EXPECT_EQ(prediction.bandwidth_factor, factor) << expression;
}

TEST(ExpansionTables, line_graphs_cost_what_is_printed) {
  expect_predicted("line(bipartite:4,4)", 32, 3, Rational(1));
  expect_predicted("line^2(bipartite:4,4)", 128, 4, Rational(33, 32));                 // 1.031
  expect_predicted("line^3(bipartite:4,4)", 512, 5, Rational(133, 128));               // 1.039
  expect_predicted("line(distance-regular:ag-2-4-minus-class)", 128, 5, Rational(1));  // 1.000
  expect_predicted("line^2(distance-regular:ag-2-4-minus-class)", 512, 6, Rational(129, 128));
  expect_predicted("line^3(circulant:16,3,4)", 1024, 6, Rational(261, 256));  // 1.020
}

TEST(ExpansionTables, powers_of_diamond_cost_what_is_printed) {
  expect_predicted("power(2, diamond)", 64, 6, Rational(63, 64));
  expect_predicted("line(power(2, diamond))", 256, 7, Rational(1));
  expect_predicted("line^2(power(2, diamond))", 1024, 8, Rational(257, 256));  // 1.004
}

TEST(ExpansionTables, products_of_rings_cost_what_is_printed) {
  expect_predicted("biring:2,8 * power(2, uniring:4)", 128, 10, Rational(127, 128));
  expect_predicted("uniring:4 * uniring:4 * uniring:4 * uniring:8", 512, 16, Rational(511, 512));
  expect_predicted("power(2, uniring:4 * uniring:8)", 1024, 20, Rational(1023, 1024));
  expect_predicted("line(power(3, uniring:4) * uniring:2)", 512, 11, Rational(1));
}

TEST(ExpansionTables, predictions_are_what_schedules_cost) {
  for (const char* expression :
       {"line(bipartite:4,4)", "power(2, diamond)", "line(power(2, diamond))",
        "biring:2,8 * power(2, uniring:4)", "line(distance-regular:ag-2-4-minus-class)"}) {
    const Fabric fabric(build_topology(expression));
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          network::make_routing("shortest", fabric));
    const Schedule schedule =
        build_schedule("expand", schedule::allgather(network.ranks()), &network);
    const auto cost = schedule::cost(schedule::verify_own(schedule, &fabric.topology()), network);
    const Prediction prediction = predict(fabric.topology().expression());
    EXPECT_EQ(cost.steps, prediction.steps) << expression;
    EXPECT_EQ(cost.bandwidth_factor, prediction.bandwidth_factor) << expression;
  }
}

TEST(ExpansionTables, reduce_scatter_on_a_network_that_is_not_reverse_symmetric_has_its_own_cost) {
  // Generalized Kautz digraphs with self-loops: best of both ways, line by line.
  for (const char* expression : {"genkautz:2,7", "genkautz:3,11", "line(genkautz:2,7)"}) {
    const auto tree = topology::parse_expression(expression);
    const Fabric fabric(build_topology(tree));
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          network::make_routing("shortest", fabric));
    const Schedule schedule =
        build_schedule("expand", schedule::reduce_scatter(network.ranks()), &network);
    const auto cost = schedule::cost(schedule::verify_own(schedule, &fabric.topology()), network);
    const Prediction prediction = predict(tree, graph::Sense::against);
    EXPECT_EQ(cost.steps, prediction.steps) << expression;
    EXPECT_EQ(cost.bandwidth_factor, prediction.bandwidth_factor) << expression;
  }
}

}  // namespace
}  // namespace weft::algorithm
