// Conjecture 1 of Zhao et al. on every circulant graph of degree 4 and 6 up to 60 nodes, Theorem 22
// up to 200, each cost by two programs: `bfb` and the kernel of the graph search.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/circulants.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/search/graph_search_kernel.hpp"
#include "weft/topology/families/circulant.hpp"

namespace weft::algorithm {
namespace {

using Jumps = std::vector<int>;

struct StepsAndFactor {
  std::int64_t steps = 0;
  Rational factor;
};

StepsAndFactor cost_by_kernel(int nodes, const Jumps& jumps) {
  std::vector<std::vector<search::Node>> rows;
  for (const int jump : jumps)
    for (const int move : {jump, nodes - jump}) {
      auto& row = rows.emplace_back();
      for (int x = 0; x < nodes; ++x) row.push_back(static_cast<search::Node>((x + move) % nodes));
    }
  std::vector<const search::Node*> next;
  for (const auto& row : rows) next.push_back(row.data());
  const int degree = static_cast<int>(rows.size());
  search::CandidateKernel kernel(nodes, degree);
  const auto cost = kernel.cayley(next, {});
  EXPECT_TRUE(cost);
  return {cost->steps, search::bandwidth_factor(cost->load, nodes, degree)};
}

struct Survey {
  int graphs = 0;
  std::map<int, int> short_of_bound;  // how many, by nodes
};

Survey survey(int jump_count, int most_nodes) {
  Survey result;
  for (int n = 2 * jump_count + 1; n <= most_nodes; ++n)
    for (const Jumps& jumps : support::circulant_jumps(n, jump_count)) {
      const BfbCost cost = bfb_cost(topology::circulant(n, jumps));
      const StepsAndFactor other = cost_by_kernel(n, jumps);
      EXPECT_EQ(cost.steps, other.steps);
      EXPECT_EQ(cost.exact_bandwidth_factor, other.factor);
      EXPECT_GE(cost.exact_bandwidth_factor, Rational(n - 1, n));
      ++result.graphs;
      result.short_of_bound[n] += cost.exact_bandwidth_factor != Rational(n - 1, n);
    }
  return result;
}

int total(const Survey& survey) {
  int sum = 0;
  for (const auto& [nodes, count] : survey.short_of_bound) sum += count;
  return sum;
}

TEST(BfbCirculantSlow, of_degree_4_to_200_nodes_is_bandwidth_optimal) {
  const Survey found = survey(2, 200);
  EXPECT_EQ(found.graphs, 7585);
  EXPECT_EQ(total(found), 0);
}

// build/release/bin/circulant_survey 6 60 lists them.
TEST(BfbCirculantSlow, of_degree_6_to_60_nodes_has_150_exceptions) {
  const Survey found = survey(3, 60);
  EXPECT_EQ(found.graphs, 4504);
  EXPECT_EQ(total(found), 150);
  for (int nodes = 7; nodes < 15; ++nodes) EXPECT_EQ(found.short_of_bound.at(nodes), 0) << nodes;
}

int diameter(int nodes, const Jumps& jumps) {
  std::vector<int> distance(static_cast<std::size_t>(nodes), -1), queue{0};
  distance[0] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const int jump : jumps)
      for (const int move : {jump, nodes - jump}) {
        const int to = (queue[i] + move) % nodes;
        if (distance[to] >= 0) continue;
        distance[to] = distance[queue[i]] + 1;
        queue.push_back(to);
      }
  return distance[queue.back()];
}

// The least integer m with (2 m + 1)^2 >= 2 n - 1.
int theorem_22(int nodes) {
  int m = 0;
  while ((2 * m + 1) * (2 * m + 1) < 2 * nodes - 1) ++m;
  return m;
}

TEST(Theorem22, circulants_of_neighbouring_jumps_have_the_least_diameter) {
  for (int n = 7; n <= 200; ++n) {
    const int m = theorem_22(n);
    const BfbCost cost = bfb_cost(topology::circulant(n, {m, m + 1}));
    EXPECT_EQ(cost.steps, m) << n;
    EXPECT_EQ(cost.exact_bandwidth_factor, Rational(n - 1, n)) << n;
    for (const Jumps& jumps : support::circulant_jumps(n, 2))
      EXPECT_GE(diameter(n, jumps), m) << n << ": " << jumps[0] << ", " << jumps[1];
  }
}

}  // namespace
}  // namespace weft::algorithm
