// LP (3), aggregated by source: y[s][e] is what arc e carries of all that source s sends.
//
//   minimize L with, for y >= 0,
//     sum over s of y[s][e] <= L * capacity[e]                             each arc e
//     inflow(s, u) - outflow(s, u) >= 1 (u a host), >= 0 (a switch)        each u != s,
//
// which is LP (3) with demands of 1 in place of f, and f = 1 / L.
//
// Arcs into s itself are left out: flow of s that returns to s is of no use. The duals of the first
// rows are prices that prove the same value from above.
//
// CLP computes in floating point. Its vertex has small fractions as coordinates, as a rule: these
// are recognised by continued fractions and then proven in exact arithmetic; where that fails the
// answer is the interval that the numbers prove as they stand.
#include "weft/flow/exact_lp.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/flow/certificate.hpp"
#include "weft/flow/fractions.hpp"

namespace weft::flow {

namespace {

struct Solution {
  std::vector<std::vector<double>> flows;  // for a demand of 1
  std::vector<double> prices;
  int pivots = 0;
};

// Row numbers: the arcs' capacities, then (source index, node) for nodes other than the source.
class Rows {
 public:
  explicit Rows(const FlowGraph& graph) : graph_(graph) {}
  int count() const {
    return graph_.arcs() + static_cast<int>(graph_.hosts.size()) * (graph_.nodes - 1);
  }
  int balance(int source, Int node) const {
    const Int skipped = node > graph_.hosts[source] ? 1 : 0;
    return graph_.arcs() + source * (graph_.nodes - 1) + node - skipped;
  }

 private:
  const FlowGraph& graph_;
};

// Columns: L, then y[s][e] for each source and each arc that does not enter it.
class Columns {
 public:
  explicit Columns(const FlowGraph& graph) : graph_(graph), rows_(graph) {
    matrix_.setDimensions(rows_.count(), 0);
    add_load();
    for (int s = 0; s < static_cast<int>(graph.hosts.size()); ++s)
      for (Int e = 0; e < graph.arcs(); ++e)
        if (graph.head[e] != graph.hosts[s]) add_flow(s, e);
  }
  const CoinPackedMatrix& matrix() const { return matrix_; }

 private:
  void add_load() {
    std::vector<int> at(graph_.arcs());
    std::iota(at.begin(), at.end(), 0);
    std::vector<double> values;
    for (const std::int64_t capacity : graph_.capacity)
      values.push_back(-static_cast<double>(capacity) / static_cast<double>(graph_.unit));
    matrix_.appendCol(graph_.arcs(), at.data(), values.data());
  }
  void add_flow(int source, Int arc) {
    int at[3] = {arc, rows_.balance(source, graph_.head[arc]), 0};
    const double values[3] = {1.0, 1.0, -1.0};
    const bool leaves_source = graph_.tail[arc] == graph_.hosts[source];
    if (!leaves_source) at[2] = rows_.balance(source, graph_.tail[arc]);
    matrix_.appendCol(leaves_source ? 2 : 3, at, values);
  }

  const FlowGraph& graph_;
  Rows rows_;
  CoinPackedMatrix matrix_{true, 0, 0};
};

Solution solve(const FlowGraph& graph) {
  const Columns columns(graph);
  const int count = columns.matrix().getNumCols(), rows = columns.matrix().getNumRows();
  const Rows numbers(graph);
  std::vector<double> objective(count, 0.0), lower(rows, 0.0), upper(rows, COIN_DBL_MAX);
  objective[0] = 1;
  std::fill_n(lower.begin(), graph.arcs(), -COIN_DBL_MAX);
  std::fill_n(upper.begin(), graph.arcs(), 0.0);
  for (int s = 0; s < static_cast<int>(graph.hosts.size()); ++s)
    for (const Int host : graph.hosts)
      if (host != graph.hosts[s]) lower[numbers.balance(s, host)] = 1;
  ClpSimplex simplex;
  simplex.setLogLevel(0);
  simplex.loadProblem(columns.matrix(), nullptr, nullptr, objective.data(), lower.data(),
                      upper.data());
  simplex.setPrimalTolerance(1e-9);
  simplex.setDualTolerance(1e-9);
  simplex.initialSolve();
  WEFT_ASSERT(simplex.isProvenOptimal());
  Solution solution;
  solution.pivots = simplex.numberIterations();
  const double* next = simplex.primalColumnSolution() + 1;
  for (const Int host : graph.hosts) {
    std::vector<double>& flow = solution.flows.emplace_back(graph.arcs(), 0.0);
    for (Int e = 0; e < graph.arcs(); ++e)
      if (graph.head[e] != host) flow[e] = std::max(0.0, *next++);
  }
  for (Int e = 0; e < graph.arcs(); ++e)
    solution.prices.push_back(std::abs(simplex.dualRowSolution()[e]));
  return solution;
}

// The value, where the vertex that CLP found is recognised and proves it from both sides.
std::optional<Rational> proven_value(const FlowGraph& graph, const ArcOrbits& orbits,
                                     const Solution& solution) {
  std::vector<double> prices = solution.prices, all_flows;
  const double largest = *std::max_element(prices.begin(), prices.end());
  for (double& price : prices) price /= largest;
  for (const auto& flow : solution.flows)
    all_flows.insert(all_flows.end(), flow.begin(), flow.end());
  const auto exact_prices = recognised(prices);
  const auto exact_flows = recognised(all_flows);
  if (!exact_prices || !exact_flows) return std::nullopt;
  std::vector<std::vector<Wide>> flows;
  for (auto at = exact_flows->numerators.begin(); at != exact_flows->numerators.end();
       at += graph.arcs())
    flows.emplace_back(at, at + graph.arcs());
  const Bound above = price_bound(graph, orbits, exact_prices->numerators);
  return flow_bound(graph, orbits, flows) == above ? above.rational() : std::nullopt;
}

}  // namespace

std::int64_t lp_variables(const FlowGraph& graph) {
  return static_cast<std::int64_t>(graph.hosts.size()) * graph.arcs();
}

Throughput throughput_by_lp(const FlowGraph& graph) {
  const Solution solution = solve(graph);
  const ArcOrbits orbits = trivial_orbits(graph);
  Throughput result;
  result.method = ThroughputMethod::exact;
  result.variables = lp_variables(graph);
  result.rounds = solution.pivots;
  result.exact = proven_value(graph, orbits, solution);
  if (result.exact) {
    result.throughput = result.upper_bound = result.exact->to_double();
  } else {
    result.throughput = flow_bound(graph, orbits, solution.flows);
    result.upper_bound =
        price_bound(graph, orbits, integer_prices(solution.prices)).value_rounded_up();
  }
  return result;
}

}  // namespace weft::flow
