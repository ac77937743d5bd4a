// LP (3), aggregated by source: y[s][e] is what arc e carries of all that a rank of s sends.
//
//   minimize L with, for y >= 0,
//     sum over s of ranks[s] y[s][e] <= L * capacity[e]                    each arc e
//     inflow(s, u) - outflow(s, u) >= ranks[u], of switches 0              each u != s,
//
// which is LP (3) with demands of 1 between ranks in place of f, and f = 1 / L.
//
// Arcs into s itself are left out: flow of s that returns to s is of no use. The duals of the first
// rows are prices that prove the same value from above.
//
// CLP computes in floating point. Its vertex has small fractions as coordinates, as a rule: these
// are recognised by continued fractions and then proven in exact arithmetic; where that fails the
// answer is the interval that the numbers prove as they stand.
#include "weft/flow/throughput/exact_lp.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/flow/throughput/certificate.hpp"
#include "weft/graph_solvers/linear_program.hpp"

namespace weft::flow {

namespace {

using graph::LinearProgram;
using graph::LinearTerm;

struct Solution {
  std::vector<std::vector<double>> flows;  // for a demand of 1 of each rank
  std::vector<double> prices;
  int pivots = 0;
};

// Rows: the arcs' capacities, then (source index, node) for nodes other than the source. Columns:
// L, then y[s][e] for each source and each arc that does not enter it.
class Program {
 public:
  explicit Program(const FlowGraph& graph) : graph_(graph) {
    for (Int e = 0; e < graph.arcs(); ++e) lp_.add_row({-graph::kUnbounded, 0});
    for (const Int source : graph.hosts)
      for (Int node = 0; node < graph.nodes; ++node)
        if (node != source)
          lp_.add_row({static_cast<double>(graph.ranks[node]), graph::kUnbounded});
    add_load();
    for (int s = 0; s < static_cast<int>(graph.hosts.size()); ++s)
      for (Int e = 0; e < graph.arcs(); ++e)
        if (graph.head(e) != graph.hosts[s]) add_flow(s, e);
  }

  Solution solve() {
    [[maybe_unused]] const bool solved = lp_.solve();
    WEFT_ASSERT(solved);
    Solution solution;
    solution.pivots = lp_.pivots();
    auto next = lp_.column_values().begin() + 1;
    for (const Int host : graph_.hosts) {
      std::vector<double>& flow = solution.flows.emplace_back(graph_.arcs(), 0.0);
      for (Int e = 0; e < graph_.arcs(); ++e)
        if (graph_.head(e) != host) flow[e] = std::max(0.0, *next++);
    }
    for (Int e = 0; e < graph_.arcs(); ++e)
      solution.prices.push_back(std::abs(lp_.row_prices()[e]));
    return solution;
  }

 private:
  int balance(int source, Int node) const {
    const Int skipped = node > graph_.hosts[source] ? 1 : 0;
    return graph_.arcs() + source * (graph_.nodes - 1) + node - skipped;
  }
  void add_load() {
    std::vector<LinearTerm> terms;
    for (Int e = 0; e < graph_.arcs(); ++e)
      terms.push_back(
          {e, -static_cast<double>(graph_.capacity[e]) / static_cast<double>(graph_.unit)});
    lp_.add_column(1, {}, terms);
  }
  void add_flow(int source, Int arc) {
    const auto ranks = static_cast<double>(graph_.ranks[graph_.hosts[source]]);
    std::vector<LinearTerm> terms{{arc, ranks}, {balance(source, graph_.head(arc)), 1}};
    if (graph_.tail[arc] != graph_.hosts[source])
      terms.push_back({balance(source, graph_.tail[arc]), -1});
    lp_.add_column(0, {}, terms);
  }

  const FlowGraph& graph_;
  LinearProgram lp_;
};

struct Proof {
  Rational value;
  std::vector<std::vector<Wide>> flows;
  std::vector<std::int64_t> prices;  // by arc
};

// The value, where the vertex that CLP found is recognised and proves it from both sides.
std::optional<Proof> proven_value(const FlowGraph& graph, const ArcOrbits& orbits,
                                  const Solution& solution) {
  std::vector<double> prices = solution.prices, all_flows;
  const double largest = *std::max_element(prices.begin(), prices.end());
  for (double& price : prices) price /= largest;
  for (const auto& flow : solution.flows)
    all_flows.insert(all_flows.end(), flow.begin(), flow.end());
  const auto exact_prices = graph::recognised(prices);
  const auto exact_flows = graph::recognised(all_flows);
  if (!exact_prices || !exact_flows) return std::nullopt;
  std::vector<std::vector<Wide>> flows;
  for (auto at = exact_flows->numerators.begin(); at != exact_flows->numerators.end();
       at += graph.arcs())
    flows.emplace_back(at, at + graph.arcs());
  const Bound above = price_bound(graph, orbits, exact_prices->numerators);
  const auto value = above.rational();
  if (!value || flow_bound(graph, orbits, flows) != above) return std::nullopt;
  return Proof{*value, std::move(flows), exact_prices->numerators};
}

}  // namespace

std::int64_t lp_variables(const FlowGraph& graph) {
  return static_cast<std::int64_t>(graph.hosts.size()) * graph.arcs();
}

Found throughput_by_lp(const FlowGraph& graph) {
  Solution solution = Program(graph).solve();
  const ArcOrbits orbits = trivial_orbits(graph);
  Found found;
  found.of_all_hosts = true;
  Throughput& result = found.throughput;
  result.method = ThroughputMethod::exact;
  result.variables = lp_variables(graph);
  result.rounds = solution.pivots;
  if (auto proof = proven_value(graph, orbits, solution)) {
    result.exact = proof->value;
    result.throughput = result.upper_bound = proof->value.to_double();
    result.prices = link_prices(graph, orbits, proof->prices);
    found.exact_flows = std::move(proof->flows);
    result.loads = link_loads(graph, orbits, found.exact_flows);
  } else {
    result.throughput = flow_bound(graph, orbits, solution.flows);
    const std::vector<std::int64_t> prices = integer_prices(solution.prices);
    result.upper_bound = price_bound(graph, orbits, prices).value_rounded_up();
    result.prices = link_prices(graph, orbits, prices);
    found.flows = std::move(solution.flows);
    result.loads = link_loads(graph, orbits, found.flows);
  }
  return found;
}

}  // namespace weft::flow
