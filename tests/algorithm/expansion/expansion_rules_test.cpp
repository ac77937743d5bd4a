// Table 3 of Zhao et al., measured: what each expansion does to the number of nodes, the degree,
// the steps and the bandwidth factor, on schedules that are built, verified and costed.
#include <gtest/gtest.h>

#include "weft/algorithm/expansion.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

struct Measured {
  std::int64_t nodes = 0, degree = 0, steps = 0;
  Rational factor;

  bool bandwidth_optimal() const { return factor == Rational(nodes - 1, nodes); }
  // One step fewer does not reach all nodes at this degree.
  bool moore_optimal() const {
    std::int64_t reached = 1, layer = 1;
    for (std::int64_t t = 1; t < steps; ++t) reached += layer *= degree;
    return reached < nodes;
  }
};

Measured measured(const std::string& expression) {
  const Fabric fabric(build_topology(expression));
  const Topology& topology = fabric.topology();
  const Network network(fabric, topology::place(topology, {}), {},
                        network::make_routing("shortest", fabric));
  const auto schedule = expand(schedule::allgather(topology.node_count()), network);
  const Cost cost = schedule::cost(schedule::verify_own(schedule, &topology), network);
  return {topology.node_count(), topology.nominal_degree(), cost.steps, cost.bandwidth_factor};
}

// All simple, and bandwidth- and Moore-optimal by BFB.
const char* const kBases[] = {"complete:3",    "complete:4",  "bipartite:2,2",
                              "bipartite:3,3", "hamming:3x3", "directed-circulant:3"};

TEST(Table3, bases_are_optimal_in_both) {
  for (const char* base : kBases) {
    EXPECT_TRUE(measured(base).bandwidth_optimal()) << base;
    EXPECT_TRUE(measured(base).moore_optimal()) << base;
  }
}

// L^n(G): d^n N nodes, degree d, n more steps, Moore-optimal, T_B up by d/(d-1) (1/N - 1/(d^n N)).
TEST(Table3, line_graphs_keep_moore_and_lose_bandwidth_optimality) {
  for (const std::string base : kBases) {
    const Measured before = measured(base);
    std::int64_t nodes = before.nodes;
    for (int n = 1; n <= 2; ++n) {
      const Measured after = measured("line^" + std::to_string(n) + "(" + base + ")");
      nodes *= before.degree;
      EXPECT_EQ(after.nodes, nodes);
      EXPECT_EQ(after.degree, before.degree);
      EXPECT_EQ(after.steps, before.steps + n);
      EXPECT_EQ(after.factor, before.factor + Rational(before.degree, before.degree - 1) *
                                                  (Rational(1, before.nodes) - Rational(1, nodes)));
      EXPECT_TRUE(after.moore_optimal()) << base;
      EXPECT_FALSE(after.bandwidth_optimal()) << base;
    }
  }
}

// G * n: nN nodes, degree nd, one more step, T_B up by (n-1)/(nN).
TEST(Table3, degree_expansion_keeps_bandwidth_optimality) {
  bool moore_lost = false;
  for (const std::string base : kBases) {
    const Measured before = measured(base);
    for (const int n : {2, 3}) {
      const Measured after = measured("degree(" + std::to_string(n) + ", " + base + ")");
      EXPECT_EQ(after.nodes, n * before.nodes);
      EXPECT_EQ(after.degree, n * before.degree);
      EXPECT_EQ(after.steps, before.steps + 1);
      EXPECT_EQ(after.factor, before.factor + Rational(n - 1, n * before.nodes));
      EXPECT_TRUE(after.bandwidth_optimal()) << base;
      moore_lost = moore_lost || !after.moore_optimal();
    }
  }
  EXPECT_TRUE(moore_lost);
}

// Power: N^n nodes, degree nd, n times the steps, T_B times N/(N-1) (N^n-1)/N^n.
TEST(Table3, powers_keep_bandwidth_optimality) {
  bool moore_lost = false;
  for (const std::string base : kBases) {
    const Measured before = measured(base), after = measured("power(2, " + base + ")");
    EXPECT_EQ(after.nodes, before.nodes * before.nodes);
    EXPECT_EQ(after.degree, 2 * before.degree);
    EXPECT_EQ(after.steps, 2 * before.steps);
    EXPECT_TRUE(after.bandwidth_optimal()) << base;
    moore_lost = moore_lost || !after.moore_optimal();
  }
  EXPECT_TRUE(moore_lost);
}

// Product: the numbers of nodes multiply, degrees and steps add up.
TEST(Table3, products_keep_bandwidth_optimality) {
  bool moore_lost = false;
  for (const std::string first : kBases)
    for (const std::string second : kBases) {
      const Measured a = measured(first), b = measured(second),
                     both = measured(first + " * " + second);
      EXPECT_EQ(both.nodes, a.nodes * b.nodes);
      EXPECT_EQ(both.degree, a.degree + b.degree);
      EXPECT_EQ(both.steps, a.steps + b.steps);
      EXPECT_TRUE(both.bandwidth_optimal()) << first << " * " << second;
      moore_lost = moore_lost || !both.moore_optimal();
    }
  EXPECT_TRUE(moore_lost);
}

}  // namespace
}  // namespace weft::algorithm
