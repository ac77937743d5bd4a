// LP (3) of throughput/exact_lp.cpp with demands of their own, aggregated by source node: y[s][e]
// is what link e carries of all that leaves s.
//
//   minimize L with, for y >= 0,
//     sum over s of y[s][e] <= L * bandwidth[e]          each link e
//     inflow(s, u) - outflow(s, u) >= demand(s, u)       each node u != s
//
// The duals p of the first rows are prices. By them a byte from s to u costs dist_p(s, u) at least,
// wherever it goes, so that L * sum of bandwidth * p >= sum of demand * dist_p, whatever rounding
// made of p.
#include "weft/flow/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/graph_solvers/linear_program.hpp"

namespace weft::flow {

namespace {

using graph::LinearProgram;
using graph::LinearTerm;

// Amounts by source and node, and links between different nodes, both about 1.
class ExchangeProgram {
 public:
  ExchangeProgram(const Topology& topology, std::span<const NodeId> places,
                  std::span<const std::int64_t> bandwidth_Bps, std::span<const std::int64_t> bytes)
      : topology_(topology) {
    for (const NodeId place : places) sources_.try_emplace(place, sources_.size());
    demands_.assign(sources_.size(), std::vector<double>(topology.node_count(), 0));
    const std::size_t n = places.size();
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t q = 0; q < n; ++q)
        if (places[r] != places[q]) {
          const auto amount = static_cast<double>(bytes[r * n + q]);
          demands_[sources_.at(places[r])][places[q].index()] += amount;
          total_B_ += amount;
        }
    for (const LinkId link : topology.links())
      if (topology.tail(link) != topology.head(link)) {
        links_.push_back(link);
        fastest_Bps_ = std::max(fastest_Bps_, static_cast<double>(bandwidth_Bps[link.index()]));
      }
    for (const LinkId link : links_)
      capacities_.push_back(static_cast<double>(bandwidth_Bps[link.index()]) / fastest_Bps_);
    for (auto& of_source : demands_)
      for (double& demand : of_source) demand /= std::max(1.0, total_B_);
  }

  std::int64_t variables() const { return std::ssize(links_) * std::ssize(demands_); }
  bool is_empty() const { return total_B_ == 0; }

  std::optional<ExchangeTime> solve() const {
    LinearProgram lp;
    for (std::size_t e = 0; e < links_.size(); ++e) lp.add_row({-graph::kUnbounded, 0});
    std::map<std::pair<std::size_t, std::size_t>, int> balances;  // of a source at a node
    for (const auto& [node, source] : sources_)
      for (const NodeId other : topology_.nodes())
        if (other != node)
          balances[{source, other.index()}] =
              lp.add_row({demands_[source][other.index()], graph::kUnbounded});
    std::vector<LinearTerm> loads;
    for (std::size_t e = 0; e < links_.size(); ++e)
      loads.push_back({static_cast<int>(e), -capacities_[e]});
    lp.add_column(1, {}, loads);
    for (const auto& [node, source] : sources_)
      for (std::size_t e = 0; e < links_.size(); ++e) {
        const NodeId tail = topology_.tail(links_[e]), head = topology_.head(links_[e]);
        if (head == node) continue;  // what returns is of no use
        std::vector<LinearTerm> terms{{static_cast<int>(e), 1},
                                      {balances.at({source, head.index()}), 1}};
        if (tail != node) terms.push_back({balances.at({source, tail.index()}), -1});
        lp.add_column(0, {}, terms);
      }
    if (!lp.solve()) return std::nullopt;
    std::vector<double> prices;
    for (std::size_t e = 0; e < links_.size(); ++e) prices.push_back(std::abs(lp.row_prices()[e]));
    const double unit_s = total_B_ / fastest_Bps_;
    return ExchangeTime{least(prices) * unit_s, lp.value() * unit_s};
  }

 private:
  double least(const std::vector<double>& prices) const {
    double sum = 0, cost = 0;
    for (std::size_t e = 0; e < links_.size(); ++e) sum += capacities_[e] * prices[e];
    for (const auto& [node, source] : sources_) {
      const std::vector<double> distances = cheapest_from(node, prices);
      for (const NodeId other : topology_.nodes())
        if (demands_[source][other.index()] > 0)
          cost += demands_[source][other.index()] * distances[other.index()];
    }
    return sum > 0 ? cost / sum : 0;
  }

  // Dijkstra's shortest ways by price.
  std::vector<double> cheapest_from(NodeId node, const std::vector<double>& prices) const {
    std::vector<double> distances(topology_.node_count(), graph::kUnbounded);
    std::vector<std::vector<std::size_t>> out(topology_.node_count());
    for (std::size_t e = 0; e < links_.size(); ++e)
      out[topology_.tail(links_[e]).index()].push_back(e);
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    queue.emplace(distances[node.index()] = 0, node.index());
    while (!queue.empty()) {
      const auto [distance, at] = queue.top();
      queue.pop();
      if (distance > distances[at]) continue;
      for (const std::size_t e : out[at]) {
        const std::size_t head = topology_.head(links_[e]).index();
        if (distance + prices[e] >= distances[head]) continue;
        queue.emplace(distances[head] = distance + prices[e], head);
      }
    }
    return distances;
  }

  const Topology& topology_;
  std::map<NodeId, std::size_t> sources_;
  std::vector<std::vector<double>> demands_;  // by source and node, in parts of all
  std::vector<LinkId> links_;
  std::vector<double> capacities_;  // in parts of the fastest
  double total_B_ = 0, fastest_Bps_ = 0;
};

}  // namespace

std::optional<ExchangeTime> exchange_time(const Topology& topology, std::span<const NodeId> places,
                                          std::span<const std::int64_t> bandwidth_Bps,
                                          std::span<const std::int64_t> bytes,
                                          std::int64_t most_variables) {
  WEFT_ASSERT(bytes.size() == places.size() * places.size());
  const ExchangeProgram program(topology, places, bandwidth_Bps, bytes);
  if (program.is_empty()) return ExchangeTime{};
  if (program.variables() > most_variables) return std::nullopt;
  return program.solve();
}

}  // namespace weft::flow
