#include "weft/flow/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"

namespace weft::flow {

namespace {

Wide greatest_common_divisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide r = a % b;
    a = b;
    b = r;
  }
  return a;
}

// The sum of distances from a node to all hosts: Dijkstra with a heap and late deletion.
Wide distance_sum(const FlowGraph& graph, Int source, std::span<const std::int64_t> price) {
  using Entry = std::pair<std::int64_t, Int>;
  std::vector<std::int64_t> distance(graph.nodes, std::numeric_limits<std::int64_t>::max());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  distance[source] = 0;
  heap.emplace(0, source);
  Wide sum = 0;
  while (!heap.empty()) {
    const auto [at, node] = heap.top();
    heap.pop();
    if (at > distance[node]) continue;
    if (graph.is_host[node]) sum += at;
    for (Int e = graph.first_out[node]; e < graph.first_out[node + 1]; ++e)
      if (const std::int64_t reached = at + price[e]; reached < distance[graph.head[e]]) {
        distance[graph.head[e]] = reached;
        heap.emplace(reached, graph.head[e]);
      }
  }
  return sum;
}

// Net inflow of every node but the source; the least over hosts, or 0 when a switch gives more
// than it gets.
template <class Number>
Number least_delivery(const FlowGraph& graph, Int source, const std::vector<Number>& flow,
                      const Number& slack) {
  std::vector<Number> net(graph.nodes, Number(0));
  for (Int e = 0; e < graph.arcs(); ++e) {
    if (flow[e] < -slack) return Number(0);
    net[graph.head[e]] += flow[e];
    net[graph.tail[e]] -= flow[e];
  }
  std::optional<Number> least;
  for (Int v = 0; v < graph.nodes; ++v) {
    if (v == source) continue;
    if (!graph.is_host[v] && net[v] < -slack) return Number(0);
    if (graph.is_host[v] && (!least || net[v] < *least)) least = net[v];
  }
  return std::max(*least, Number(0));
}

}  // namespace

std::optional<Rational> Bound::rational() const {
  const Wide divisor = greatest_common_divisor(numerator, denominator);
  const Wide top = numerator / divisor, bottom = denominator / divisor;
  constexpr Wide kLargest = std::numeric_limits<std::int64_t>::max();
  if (top > kLargest || bottom > kLargest) return std::nullopt;
  return Rational(static_cast<std::int64_t>(top), static_cast<std::int64_t>(bottom));
}

Bound price_bound(const FlowGraph& graph, std::span<const std::int64_t> price) {
  WEFT_ASSERT(std::all_of(price.begin(), price.end(), [](std::int64_t p) { return p >= 0; }));
  std::vector<Wide> sums(graph.hosts.size());
  parallel_for(static_cast<std::int64_t>(sums.size()),
               [&](std::int64_t i) { sums[i] = distance_sum(graph, graph.hosts[i], price); });
  Bound bound{0, 0};
  for (const Wide sum : sums) bound.denominator += sum * graph.unit;
  for (Int e = 0; e < graph.arcs(); ++e) bound.numerator += Wide(graph.capacity[e]) * price[e];
  WEFT_ASSERT(bound.denominator > 0);
  return bound;
}

Bound price_bound(const FlowGraph& graph, std::span<const double> price) {
  const double largest = *std::max_element(price.begin(), price.end());
  std::vector<std::int64_t> scaled(price.size());
  for (std::size_t e = 0; e < price.size(); ++e)
    scaled[e] = std::llround(std::ldexp(std::max(price[e], 0.0) / largest, 36));
  return price_bound(graph, scaled);
}

double flow_bound(const FlowGraph& graph, std::span<const SourceFlow> flows) {
  WEFT_ASSERT(flows.size() == graph.hosts.size());
  std::vector<double> load(graph.arcs(), 0), deliveries(flows.size());
  parallel_for(static_cast<std::int64_t>(flows.size()), [&](std::int64_t i) {
    deliveries[i] = least_delivery(graph, graph.hosts[i], flows[i], 1e-11);
  });
  for (const SourceFlow& flow : flows)
    for (Int e = 0; e < graph.arcs(); ++e) load[e] += flow[e];
  double worst = 0;
  for (Int e = 0; e < graph.arcs(); ++e)
    worst = std::max(worst, load[e] * static_cast<double>(graph.unit) / static_cast<double>(graph.capacity[e]));
  return *std::min_element(deliveries.begin(), deliveries.end()) / worst;
}

std::optional<Rational> flow_bound(const FlowGraph& graph,
                                   std::span<const std::vector<Rational>> flows) {
  try {
    std::vector<Rational> load(graph.arcs());
    std::optional<Rational> least;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const Rational delivered = least_delivery(graph, graph.hosts[i], flows[i], Rational(0));
      if (!least || delivered < *least) least = delivered;
      for (Int e = 0; e < graph.arcs(); ++e) load[e] += flows[i][e];
    }
    Rational worst;
    for (Int e = 0; e < graph.arcs(); ++e)
      worst = std::max(worst, load[e] * Rational(graph.unit, graph.capacity[e]));
    return *least / worst;
  } catch (const std::overflow_error&) {
    return std::nullopt;
  }
}

}  // namespace weft::flow
