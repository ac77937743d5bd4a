#include "weft/flow/throughput/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/graph/fractions.hpp"

namespace weft::flow {

namespace {

using graph::Fraction;

Wide greatest_common_divisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide r = a % b;
    a = b;
    b = r;
  }
  return a;
}

// The sum of distances from a node to all ranks: Dijkstra with a heap and late deletion.
Wide distance_sum(const FlowGraph& graph, const ArcOrbits& orbits, Int source,
                  std::span<const std::int64_t> price) {
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
    sum += Wide(at) * graph.ranks[node];
    for (Int e = graph.heads.first(node); e < graph.heads.first(node + 1); ++e)
      if (const std::int64_t reached = at + price[orbits.orbit_of_arc[e]];
          reached < distance[graph.head(e)]) {
        distance[graph.head(e)] = reached;
        heap.emplace(reached, graph.head(e));
      }
  }
  return sum;
}

// Of which a denominator is the ranks of a host: 2^31 at most.
bool is_less(const Bound& a, const Bound& b) {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

// Flows as integers, of which all that follows is exact: by a power of two, or as they are.
Wide as_integer(double flow, double scale) {
  return static_cast<Wide>(flow * scale);
}
Wide as_integer(Wide flow, double) {
  return flow;
}

// The least net inflow a rank of any host but the source. What a switch gives more than it gets
// comes from nowhere: the paths that carry it are taken away, at worst all from one host.
template <class Number>
Bound least_delivery(const FlowGraph& graph, Int source, const std::vector<Number>& flow,
                     double scale) {
  std::vector<Wide> net(graph.nodes, 0);
  for (Int e = 0; e < graph.arcs(); ++e) {
    if (flow[e] < 0) return {};
    const Wide whole = as_integer(flow[e], scale);
    net[graph.head(e)] += whole;
    net[graph.tail[e]] -= whole;
  }
  Wide from_nowhere = 0;
  for (Int v = 0; v < graph.nodes; ++v)
    if (v != source && net[v] < 0) from_nowhere -= net[v];
  std::optional<Bound> least;
  for (const Int v : graph.hosts) {
    if (v == source) continue;
    const auto a_rank = Bound::reduced(std::max<Wide>(net[v] - from_nowhere, 0), graph.ranks[v]);
    if (!least || is_less(a_rank, *least)) least = a_rank;
  }
  return *least;
}

template <class Number>
Bound least_delivery(const FlowGraph& graph, const ArcOrbits& orbits,
                     std::span<const std::vector<Number>> flows, double scale) {
  WEFT_ASSERT(flows.size() == orbits.sources.size());
  std::vector<Bound> least(flows.size());
  parallel_for(static_cast<std::int64_t>(flows.size()), [&](std::int64_t i) {
    least[i] = least_delivery<Number>(graph, orbits.sources[i].host, flows[i], scale);
  });
  return *std::ranges::min_element(least, is_less);
}

// What all hosts together put on each orbit.
template <class Number>
std::vector<Wide> orbit_loads(const ArcOrbits& orbits, std::span<const std::vector<Number>> flows,
                              double scale) {
  const std::size_t workers = std::clamp<std::size_t>(flows.size(), 1, threads());
  std::vector<std::vector<Wide>> parts(workers, std::vector<Wide>(orbits.count, 0));
  parallel_for(std::ssize(parts), [&](std::int64_t part) {
    std::vector<Wide>& load = parts[part];
    for (std::size_t i = part; i < flows.size(); i += workers)
      for (std::size_t e = 0; e < flows[i].size(); ++e)
        load[orbits.orbit_of_arc[e]] += orbits.sources[i].weight * as_integer(flows[i][e], scale);
  });
  for (std::size_t part = 1; part < workers; ++part)
    for (Int k = 0; k < orbits.count; ++k) parts[0][k] += parts[part][k];
  return std::move(parts[0]);
}

/// The power of two that makes the largest flow an integer below 2^72, which leaves room in 128
/// bits for the sum over 2^27 sources and as many arcs.
double scale_of(std::span<const std::vector<double>> flows) {
  double largest = 0;
  for (const std::vector<double>& flow : flows)
    for (const double f : flow) largest = std::max(largest, f);
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, std::min(72 - exponent, std::numeric_limits<double>::max_exponent - 1));
}

Fraction fraction_of(Wide value) {  // not negative
  const Fraction high(static_cast<std::uint64_t>(value >> 64));
  return high * Fraction(boost::multiprecision::cpp_int(1) << 64) +
         Fraction(static_cast<std::uint64_t>(value));
}

double rounded_down(const Fraction& value) {
  const auto nearest = value.convert_to<double>();
  return Fraction(nearest) > value ? std::nextafter(nearest, 0.0) : nearest;
}

}  // namespace

Bound Bound::reduced(Wide numerator, Wide denominator) {
  const Wide divisor = greatest_common_divisor(numerator, denominator);
  return {numerator / divisor, denominator / divisor};
}

std::optional<Rational> Bound::rational() const {
  constexpr Wide kLargest = std::numeric_limits<std::int64_t>::max();
  if (numerator > kLargest || denominator > kLargest) return std::nullopt;
  return Rational(static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator));
}

Bound price_bound(const FlowGraph& graph, const ArcOrbits& orbits,
                  std::span<const std::int64_t> price) {
  WEFT_ASSERT(std::ssize(price) == orbits.count);
  WEFT_ASSERT(std::all_of(price.begin(), price.end(), [](std::int64_t p) { return p >= 0; }));
  std::vector<Wide> sums(orbits.sources.size());
  parallel_for(static_cast<std::int64_t>(sums.size()), [&](std::int64_t i) {
    sums[i] = distance_sum(graph, orbits, orbits.sources[i].host, price);
  });
  Wide distances = 0, value = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) distances += sums[i] * orbits.sources[i].weight;
  for (Int k = 0; k < orbits.count; ++k) value += Wide(orbits.capacity[k]) * price[k];
  WEFT_ASSERT(distances > 0);
  return Bound::reduced(value, distances * graph.unit);
}

std::vector<std::int64_t> integer_prices(std::span<const double> price) {
  const double largest = *std::max_element(price.begin(), price.end());
  WEFT_ASSERT(largest > 0);
  std::vector<std::int64_t> integers;
  for (const double p : price)
    integers.push_back(std::llround(std::ldexp(std::max(p, 0.0) / largest, 36)));
  return integers;
}

std::vector<std::int64_t> link_prices(const FlowGraph& graph, const ArcOrbits& orbits,
                                      std::span<const std::int64_t> price) {
  WEFT_ASSERT(std::ssize(price) == orbits.count);
  std::vector<std::int64_t> prices;
  for (const Int arc : graph.arc_of_link)
    prices.push_back(arc < 0 ? 0 : price[orbits.orbit_of_arc[arc]]);
  return prices;
}

namespace {

template <class Number>
std::vector<double> loads_by_link(const FlowGraph& graph, const ArcOrbits& orbits,
                                  std::span<const std::vector<Number>> flows, double scale) {
  const double delivered = least_delivery<Number>(graph, orbits, flows, scale).value();
  const std::vector<Wide> load = orbit_loads(orbits, flows, scale);
  std::vector<double> loads;
  for (const Int arc : graph.arc_of_link) {
    if (arc < 0 || delivered <= 0) {
      loads.push_back(0);
      continue;
    }
    const Int k = orbits.orbit_of_arc[arc];
    loads.push_back(static_cast<double>(load[k]) / delivered *
                    static_cast<double>(graph.capacity[arc]) /
                    static_cast<double>(orbits.capacity[k]));
  }
  WEFT_ASSERT(loads.size() == graph.arc_of_link.size());
  return loads;
}

}  // namespace

std::vector<double> link_loads(const FlowGraph& graph, const ArcOrbits& orbits,
                               std::span<const std::vector<double>> flows) {
  return loads_by_link(graph, orbits, flows, scale_of(flows));
}

std::vector<double> link_loads(const FlowGraph& graph, const ArcOrbits& orbits,
                               std::span<const std::vector<Wide>> flows) {
  return loads_by_link(graph, orbits, flows, 0);
}

double Bound::value_rounded_up() const {
  const double nearest = value();
  const bool below = Fraction(nearest) < fraction_of(numerator) / fraction_of(denominator);
  return below ? std::nextafter(nearest, std::numeric_limits<double>::infinity()) : nearest;
}

double flow_bound(const FlowGraph& graph, const ArcOrbits& orbits,
                  std::span<const std::vector<double>> flows) {
  const double scale = scale_of(flows);
  const Bound least = least_delivery(graph, orbits, flows, scale);
  const Fraction delivered = fraction_of(least.numerator) / fraction_of(least.denominator);
  const std::vector<Wide> load = orbit_loads(orbits, flows, scale);
  Fraction worst = 0;  // of load / capacity
  for (Int k = 0; k < orbits.count; ++k)
    worst = std::max<Fraction>(worst, fraction_of(load[k]) / Fraction(orbits.capacity[k]));
  return delivered == 0 ? 0.0 : rounded_down(delivered / (worst * Fraction(graph.unit)));
}

Bound flow_bound(const FlowGraph& graph, const ArcOrbits& orbits,
                 std::span<const std::vector<Wide>> flows) {
  const Bound delivered = least_delivery(graph, orbits, flows, 0);
  const std::vector<Wide> load = orbit_loads(orbits, flows, 0);
  Bound worst{0, 1};  // of load / capacity
  for (Int k = 0; k < orbits.count; ++k)
    if (load[k] * worst.denominator > worst.numerator * orbits.capacity[k])
      worst = Bound::reduced(load[k], orbits.capacity[k]);
  return Bound::reduced(delivered.numerator * worst.denominator,
                        delivered.denominator * worst.numerator * graph.unit);
}

}  // namespace weft::flow
