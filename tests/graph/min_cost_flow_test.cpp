#include "weft/graph/min_cost_flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "weft/base/random.hpp"
#include "weft/graph_solvers/linear_program.hpp"

namespace weft::graph {
namespace {

std::int64_t cost_of(const MinCostFlow& flow, const std::vector<CostArc>& arcs) {
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i)
    cost += flow.flow(static_cast<std::int32_t>(i)) * arcs[i].cost.first;
  return cost;
}

// Two ways of cost 2 and 3; then the cheap middle arc has to be given up: 0-1-3 and 0-2-3.
TEST(MinCostFlow, takes_back_what_was_sent) {
  const std::vector<CostArc> arcs{{0, 1, 1, {1, 1}},
                                  {0, 2, 1, {4, 1}},
                                  {1, 2, 1, {0, 1}},
                                  {1, 3, 1, {4, 1}},
                                  {2, 3, 1, {1, 1}}};
  MinCostFlow flow(4, arcs);
  ASSERT_TRUE(flow.augment(0, 3));
  EXPECT_EQ(flow.value(), 1);
  EXPECT_EQ(cost_of(flow, arcs), 2);  // 0-1-2-3
  ASSERT_TRUE(flow.augment(0, 3));
  EXPECT_EQ(flow.value(), 2);
  EXPECT_EQ(cost_of(flow, arcs), 10);
  EXPECT_EQ(flow.flow(2), 0);
  EXPECT_FALSE(flow.augment(0, 3));
}

TEST(MinCostFlow, prefers_the_fewest_arcs_where_costs_tie) {
  const std::vector<CostArc> arcs{{0, 1, 5, {0, 1}}, {0, 2, 3, {0, 1}}, {1, 2, 5, {0, 1}}};
  MinCostFlow flow(3, arcs);
  ASSERT_TRUE(flow.augment(0, 2));
  EXPECT_EQ(flow.flow(1), 3);
  EXPECT_EQ(flow.flow(0), 0);
}

TEST(MinCostFlow, finds_no_way_where_there_is_none) {
  const std::vector<CostArc> arcs{{1, 0, 5, {0, 1}}};
  MinCostFlow flow(2, arcs);
  EXPECT_FALSE(flow.augment(0, 1));
  EXPECT_EQ(flow.value(), 0);
}

// After each round the flow is one of its value, and a linear program finds none that is cheaper;
// the last is a maximum.
TEST(MinCostFlow, is_as_cheap_as_linear_programs_say) {
  Rng rng(5);
  for (int round = 0; round < 60; ++round) {
    const auto nodes = static_cast<std::int32_t>(3 + rng.below(6));
    std::vector<CostArc> arcs;
    for (std::int64_t i = 0; i < 3 * nodes; ++i) {
      const auto tail = static_cast<std::int32_t>(rng.below(nodes));
      const auto head = static_cast<std::int32_t>(rng.below(nodes));
      arcs.push_back({tail, head, rng.below(6), {rng.below(10), 1}});
    }
    std::ranges::stable_sort(arcs, {}, &CostArc::tail);
    const auto least_cost = [&](std::int64_t value) {
      LinearProgram program;
      for (std::int32_t v = 0; v < nodes; ++v) {
        const double excess = v == 0 ? -double(value) : v == nodes - 1 ? double(value) : 0.0;
        program.add_row({excess, excess});
      }
      for (const CostArc& arc : arcs) {
        std::vector<LinearTerm> terms;
        if (arc.tail != arc.head) terms = {{arc.tail, -1}, {arc.head, 1}};
        program.add_column(double(arc.cost.first), {0, double(arc.capacity)}, terms);
      }
      return program.solve() ? exact_vertex(program)->value : Fraction(-1);
    };
    MinCostFlow flow(nodes, arcs);
    while (flow.augment(0, nodes - 1)) {
      std::vector<std::int64_t> excess(static_cast<std::size_t>(nodes));
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        const std::int64_t amount = flow.flow(static_cast<std::int32_t>(i));
        EXPECT_GE(amount, 0);
        EXPECT_LE(amount, arcs[i].capacity);
        excess[arcs[i].tail] -= amount;
        excess[arcs[i].head] += amount;
      }
      for (std::int32_t v = 0; v < nodes; ++v)
        EXPECT_EQ(excess[v], v == 0 ? -flow.value() : v == nodes - 1 ? flow.value() : 0);
      EXPECT_EQ(least_cost(flow.value()), cost_of(flow, arcs)) << round;
    }
    EXPECT_EQ(least_cost(flow.value() + 1), -1) << round;  // no more fits
  }
}

}  // namespace
}  // namespace weft::graph
