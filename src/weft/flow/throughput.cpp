#include "weft/flow/throughput.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/flow/cayley_orbits.hpp"
#include "weft/flow/flow_graph.hpp"
#include "weft/flow/throughput/balance.hpp"
#include "weft/flow/throughput/certificate.hpp"
#include "weft/flow/throughput/cutting_planes.hpp"
#include "weft/flow/throughput/exact_lp.hpp"

namespace weft::flow {

namespace {

constexpr Names<ThroughputMethod, 5> kMethods{"method",
                                              {"auto", "exact", "cayley", "orbits", "approximate"}};

constexpr std::int64_t kMostLpVariables = 5000;  // a fraction of a second
constexpr Int kMostSymmetryNodes = 20'000;       // of the condensed graph
constexpr Int kMostOrbits = 256;                 // cutting planes: seconds up to here

Throughput named(ThroughputMethod method, const Found& found) {
  Throughput result = found.throughput;
  result.method = method;
  return result;
}

// They take a host to any other, so that all must send, and as much.
std::optional<ArcOrbits> translations(const Topology& topology, const FlowGraph& graph) {
  if (graph.hosts.size() < topology.hosts().size() || !has_equal_ranks(graph)) return std::nullopt;
  return cayley_orbits(topology, graph);
}

// That of a Cayley network, or what is found.
struct Symmetry {
  std::optional<ArcOrbits> of_translations;
  std::optional<ArcOrbits> of_automorphisms;  // one of the two

  Symmetry(const Topology& topology, const FlowGraph& graph, ThroughputMethod method) {
    switch (method) {
      case ThroughputMethod::orbits:
      case ThroughputMethod::approximate:
        of_automorphisms = automorphism_orbits(graph);
        return;
      case ThroughputMethod::exact:
      case ThroughputMethod::cayley:
        of_translations = translations(topology, graph);
        if (!of_translations) of_automorphisms = trivial_orbits(graph);
        return;
      case ThroughputMethod::automatic:
        break;
    }
    of_translations = translations(topology, graph);
    if (!of_translations) of_automorphisms = automorphism_orbits(graph, kMostSymmetryNodes);
  }
  const ArcOrbits& orbits() const { return of_translations ? *of_translations : *of_automorphisms; }
};

void require_cayley(const Topology& topology, const Symmetry& symmetry) {
  require(symmetry.of_translations.has_value(),
          "method cayley needs a known Cayley network with equal links for each generator and "
          "as many ranks on every host, which {} is not; use method orbits or auto",
          topology.name());
}

Throughput solve(const Topology& topology, const FlowGraph& graph, const Symmetry& symmetry,
                 const ThroughputOptions& options) {
  const ArcOrbits& orbits = symmetry.orbits();
  switch (options.method) {
    case ThroughputMethod::exact:
      return throughput_by_lp(graph).throughput;
    case ThroughputMethod::cayley:
      require_cayley(topology, symmetry);
      return named(options.method, throughput_by_orbits(graph, orbits, options));
    case ThroughputMethod::orbits:
      return named(options.method, throughput_by_orbits(graph, orbits, options));
    case ThroughputMethod::approximate:
      return throughput_by_balance(graph, orbits, options).throughput;
    case ThroughputMethod::automatic:
      break;
  }
  if (symmetry.of_translations)
    return named(ThroughputMethod::cayley, throughput_by_orbits(graph, orbits, options));
  return find_throughput(graph, orbits, options).throughput;
}

// Links side by side are one arc, which they carry in proportion to their capacities.
void part_among_parallel_links(std::vector<double>& loads, const FlowGraph& graph,
                               std::span<const std::int64_t> capacity) {
  WEFT_ASSERT(loads.size() <= graph.arc_of_link.size());
  WEFT_ASSERT(capacity.empty() || capacity.size() == graph.arc_of_link.size());
  const auto of_link = [&](std::size_t link) {
    return capacity.empty() ? 1.0 : static_cast<double>(capacity[link]);
  };
  std::vector<double> of_arc(static_cast<std::size_t>(graph.arcs()), 0);
  for (std::size_t link = 0; link < loads.size(); ++link)
    if (const Int arc = graph.arc_of_link[link]; arc >= 0) of_arc[arc] += of_link(link);
  for (std::size_t link = 0; link < loads.size(); ++link)
    if (const Int arc = graph.arc_of_link[link]; arc >= 0)
      loads[link] *= of_link(link) / of_arc[arc];
}

std::vector<std::int64_t> equal_prices(const ArcOrbits& orbits) {
  return std::vector<std::int64_t>(orbits.count, 1);
}

// The distance bound, which is the upper bound too where the method has proven none as low.
void add_distance_bound(Throughput& result, const FlowGraph& graph, const ArcOrbits& orbits) {
  result.distance_bound = distance_bound(graph, orbits);
  if (result.exact || result.upper_bound <= result.distance_bound) return;
  result.upper_bound = result.distance_bound;
  result.prices = link_prices(graph, orbits, equal_prices(orbits));
}

// What is known without any search, automorphisms included.
Throughput bounds_alone(const Topology& topology, const FlowGraph& graph, ThroughputMethod method) {
  const Symmetry symmetry(topology, graph, ThroughputMethod::cayley);
  if (method == ThroughputMethod::cayley) require_cayley(topology, symmetry);
  Throughput result;
  result.method = method;
  result.upper_bound = std::numeric_limits<double>::infinity();
  result.loads.assign(graph.arc_of_link.size(), 0);
  add_distance_bound(result, graph, symmetry.orbits());
  return result;
}

// The watch knows when the time limit began.
Throughput searched(const Topology& topology, const FlowGraph& graph,
                    std::span<const std::int64_t> capacity, ThroughputOptions options,
                    const Stopwatch& watch) {
  const Symmetry symmetry(topology, graph, options.method);
  options.time_limit_s = std::max(0.0, options.time_limit_s - watch.seconds());
  Throughput result = solve(topology, graph, symmetry, options);
  part_among_parallel_links(result.loads, graph, capacity);
  add_distance_bound(result, graph, symmetry.orbits());
  return result;
}

}  // namespace

double distance_bound(const FlowGraph& graph, const ArcOrbits& orbits) {
  return price_bound(graph, orbits, equal_prices(orbits)).value_rounded_up();
}

Found find_throughput(const FlowGraph& graph, const ArcOrbits& orbits,
                      const ThroughputOptions& options) {
  if (orbits.count <= kMostOrbits) {
    Found found = throughput_by_orbits(graph, orbits, options);
    found.throughput.method = ThroughputMethod::orbits;
    return found;
  }
  if (lp_variables(graph) <= kMostLpVariables) return throughput_by_lp(graph);
  return throughput_by_balance(graph, orbits, options);
}

std::string_view to_string(ThroughputMethod method) {
  return kMethods[method];
}

ThroughputMethod parse_throughput_method(std::string_view name) {
  return kMethods.value(name);
}

Throughput all_to_all_throughput(const Topology& topology, std::span<const std::int64_t> capacity,
                                 const ThroughputOptions& options) {
  require(options.gap >= 0 && std::isfinite(options.gap),
          "invalid gap {} (expected 0 or more; 0.01 is one percent)", options.gap);
  require(options.time_limit_s >= 0, "time limit {} s is negative (needs 0 or more)",
          options.time_limit_s);
  require(options.time_limit_s <= 1e8, "time limit {} s is too long (at most 1e8)",
          options.time_limit_s);
  const Stopwatch watch;
  const FlowGraph graph = flow_graph(topology, capacity, options.places);
  const bool searches = options.time_limit_s > 0 || options.method == ThroughputMethod::exact;
  Throughput result = searches ? searched(topology, graph, capacity, options, watch)
                               : bounds_alone(topology, graph, options.method);
  result.hosts = static_cast<Int>(graph.hosts.size());
  result.ranks = all_ranks(graph);
  return result;
}

Rational factor_at_one(const Fabric& fabric, std::int64_t ranks) {
  const Topology& topology = fabric.topology();
  std::int64_t fastest_Bps = 0;
  for (const LinkId link : topology.links())
    if (topology.tail(link) != topology.head(link))
      fastest_Bps = std::max(fastest_Bps, fabric.bandwidth_Bps(link));
  WEFT_ASSERT(ranks >= 1 && fastest_Bps > 0);
  return Rational(fabric.node_egress_Bps(), fastest_Bps) / Rational(ranks);
}

}  // namespace weft::flow
