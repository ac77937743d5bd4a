#include "weft/analysis/report.hpp"

#include <algorithm>
#include <functional>

#include "transitive.hpp"
#include "weft/analysis/bisection/known_bisection.hpp"

namespace weft::analysis {

namespace {

void take_distances(const Topology& topology, TopologyReport& report) {
  const bool between_hosts = report.planes > 1;
  const DistanceSummary summary = between_hosts ? summarize_distances(topology, topology.hosts())
                                                : summarize_distances(topology);
  if (report.switches > 0) {
    const auto hosts = between_hosts ? summary : summarize_distances(topology, topology.hosts());
    if (hosts.connected()) {
      report.host_diameter = hosts.diameter();
      report.host_average_distance = hosts.average();
    }
  }
  report.connected = summary.connected();
  report.pairs_at_distance = summary.pairs_at;
  if (!*report.connected) return;
  report.diameter = summary.diameter();
  report.radius = summary.radius();
  report.average_distance = summary.average();
  // Automorphisms keep eccentricities: a difference disproves transitivity at no cost. A core
  // node's distances within the core are kept too, since switches go to switches.
  if (between_hosts) return;
  const auto& far = summary.eccentricity;
  if (std::adjacent_find(far.begin(), far.end(), std::not_equal_to<>()) != far.end())
    report.vertex_transitive = false;
}

// Costs nothing, and so is given on networks of any size: exactly, or both limits.
std::optional<Bisection> bisection_by_formula(const Topology& topology) {
  const auto known = known_bisection(topology);
  if (!known || !known->upper) return std::nullopt;
  const bool exact = known->exact();
  return Bisection{.upper = *known->upper,
                   .lower = known->lower,
                   .formula = exact ? known->formula : std::string_view(),
                   .source = exact ? known->source : std::string_view()};
}

}  // namespace

TopologyReport report(const Topology& topology, const ReportOptions& options) {
  const bool small = topology.node_count() <= options.automatic_nodes;
  const auto wanted = [&](Measure when) {
    return when == Measure::always || (when == Measure::automatic && small);
  };

  // Measures that one node tells cost nothing on networks known to be alike everywhere.
  const bool alike = is_known_vertex_transitive(topology);
  const auto wanted_of_one = [&](Measure when) {
    return wanted(when) || (alike && when == Measure::automatic);
  };

  TopologyReport report;
  report.nodes = topology.node_count();
  report.hosts = static_cast<std::int32_t>(topology.hosts().size());
  report.switches = static_cast<std::int32_t>(topology.switches().size());
  report.planes = switch_planes(topology);
  report.links = topology.link_count();
  report.cables = topology.cable_count();
  report.degree = topology.nominal_degree();
  report.degrees = degree_range(topology);
  report.bidirectional = is_bidirectional(topology);
  report.moore_diameter = moore_steps(topology.has_switches() ? report.switches : report.nodes,
                                      std::max(report.degree, report.degrees.max_out),
                                      report.bidirectional ? Wiring::two_way : Wiring::one_way);

  if (wanted(options.distances)) take_distances(topology, report);
  if (alike && options.vertex_transitive != Measure::never) report.vertex_transitive = true;
  if (wanted_of_one(options.edge_connectivity))
    report.edge_connectivity =
        report.planes > 1 ? host_edge_connectivity(topology) : edge_connectivity(topology);
  if (wanted_of_one(options.girth)) {
    report.girth_taken = true;
    report.girth = girth(topology);
  }
  if (wanted(options.reverse_symmetric)) report.reverse_symmetric = is_reverse_symmetric(topology);
  if (wanted(options.vertex_transitive) && !report.vertex_transitive)
    report.vertex_transitive = is_vertex_transitive(topology);
  if (wanted(options.bisection))
    report.bisection = bisection(topology);
  else if (options.bisection != Measure::never)
    report.bisection = bisection_by_formula(topology);
  return report;
}

}  // namespace weft::analysis
