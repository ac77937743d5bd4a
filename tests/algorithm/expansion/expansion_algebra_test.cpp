#include "weft/algorithm/expansion_algebra.hpp"

#include <gtest/gtest.h>

#include <array>

#include "weft/base/error.hpp"

namespace weft::algorithm {
namespace {

// BW-optimal, BFB, undirected and simple, such as complete or Hamming networks.
Prediction best(std::int64_t nodes, std::int64_t degree, std::int64_t steps) {
  return {.nodes = nodes,
          .degree = degree,
          .steps = steps,
          .bandwidth_factor = Rational(nodes - 1, nodes),
          .branching = true,
          .bfb = true,
          .optimal_bfb = true,
          .reversible = true,
          .tight = true};
}

Prediction line_times(int times, Prediction base) {
  for (int i = 0; i < times; ++i) base = line(base);
  return base;
}

std::int64_t moore_steps(std::int64_t nodes, std::int64_t degree) {
  std::int64_t steps = 0;
  for (std::int64_t reached = 1, layer = 1; reached < nodes; ++steps) reached += layer *= degree;
  return steps;
}

TEST(ExpansionAlgebra, repeated_line_graphs_follow_corollary_10_1) {
  // T_B + d/(d-1) (1/N - 1/(d^n N)).
  const Prediction base = best(8, 4, 2);
  std::int64_t nodes = 8;
  for (int n = 1; n <= 6; ++n) {
    nodes *= 4;
    const Prediction expanded = line_times(n, base);
    EXPECT_EQ(expanded.steps, 2 + n);
    EXPECT_EQ(expanded.nodes, nodes);
    EXPECT_EQ(expanded.bandwidth_factor,
              Rational(7, 8) + Rational(4, 3) * (Rational(1, 8) - Rational(1, nodes)));
  }
}

// One of five ports idle: four fifths of the bandwidth carry the same data.
TEST(ExpansionAlgebra, idle_ports_count_in_the_bandwidth) {
  const Prediction idle = algorithm::idle(1, best(9, 4, 2));
  EXPECT_EQ(idle.degree, 5);
  EXPECT_EQ(idle.steps, 2);
  EXPECT_EQ(idle.bandwidth_factor, Rational(8, 9) * Rational(5, 4));
  EXPECT_FALSE(idle.regular);
}

TEST(ExpansionAlgebra, line_graphs_stay_near_the_best_bandwidth_by_theorem_9) {
  // T_B / T_B* <= 1 + 1/((d-1) N).
  for (int n = 1; n <= 8; ++n) {
    const Prediction expanded = line_times(n, best(16, 4, 2));
    const Rational least(expanded.nodes - 1, expanded.nodes);
    EXPECT_LE(expanded.bandwidth_factor / least, Rational(1) + Rational(1, 3 * 16));
  }
}

TEST(ExpansionAlgebra, line_graphs_stay_moore_optimal_by_theorem_8) {
  for (int n = 0; n <= 6; ++n) {
    const Prediction expanded = line_times(n, best(8, 4, 2));
    EXPECT_EQ(expanded.steps, moore_steps(expanded.nodes, 4));
    const Prediction far = line_times(n, best(8, 4, 3));
    EXPECT_GT(far.steps, moore_steps(far.nodes, 4));
  }
}

TEST(ExpansionAlgebra, degree_and_power_stay_bandwidth_optimal_by_corollaries_11_1_and_12_1) {
  for (std::int64_t n = 1; n <= 5; ++n) {
    EXPECT_TRUE(degree(n, best(6, 5, 1)).bandwidth_optimal());
    EXPECT_TRUE(power(n, best(6, 5, 1)).bandwidth_optimal());
    EXPECT_EQ(power(n, best(6, 5, 1)).steps, n);
  }
  EXPECT_EQ(degree(3, best(6, 5, 1)).steps, 2);
  EXPECT_EQ(degree(3, best(6, 5, 1)).degree, 15);
}

TEST(ExpansionAlgebra, product_of_the_best_is_the_best_by_theorem_13) {
  const std::array factors{best(4, 3, 1), best(8, 4, 2), best(1, 0, 0)};
  const auto all = product(factors);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->nodes, 32);
  EXPECT_EQ(all->degree, 7);
  EXPECT_EQ(all->steps, 3);
  EXPECT_TRUE(all->bandwidth_optimal());
}

TEST(ExpansionAlgebra, product_says_nothing_where_theorem_13_does_not) {
  std::array factors{best(4, 3, 1), best(8, 4, 2)};
  factors[1].parallel = true;
  EXPECT_FALSE(product(factors).has_value());
  factors[1] = degree(2, best(4, 3, 1));
  EXPECT_FALSE(product(factors).has_value());
}

TEST(ExpansionAlgebra, bidirectional_needs_a_base_that_costs_the_same_reversed) {
  Prediction base = best(8, 2, 3);
  EXPECT_EQ(bidirectional(base)->degree, 4);
  EXPECT_EQ(bidirectional(base)->bandwidth_factor, base.bandwidth_factor);
  base.reversible = false;
  EXPECT_FALSE(bidirectional(base).has_value());
}

TEST(ExpansionAlgebra, line_graph_of_a_base_that_is_not_tight_has_a_bound) {
  Prediction base = best(8, 2, 4);
  base.tight = false;
  EXPECT_FALSE(line(base).exact);
  EXPECT_FALSE(line(base).bandwidth_optimal());
  EXPECT_TRUE(line(power(2, base)).exact);
}

TEST(ExpansionAlgebra, rejects_what_is_not_defined) {
  Prediction looped = best(8, 2, 3);
  looped.loops = true;
  EXPECT_THROW(degree(2, looped), InvalidInput);
  EXPECT_THROW(degree(0, best(8, 2, 3)), InvalidInput);
  EXPECT_THROW(power(0, best(8, 2, 3)), InvalidInput);
  EXPECT_THROW(power(40, best(8, 2, 3)), InvalidInput);
}

}  // namespace
}  // namespace weft::algorithm
