// Rows of the measures of a network.
#include <algorithm>

#include "weft/analysis/report.hpp"
#include "weft/fields/fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"
#include "weft/topology/registry.hpp"

namespace weft::rows {

namespace {

Values answer(const Row& row, Workspace&) {
  const Topology topology = make_topology(fields::text_in(row.parameters, "topology"));
  contents_of_files(row);
  const auto report = analysis::report(topology);
  const auto& bisection = report.bisection;
  const auto count = [](std::int64_t value) { return Value(value); };
  return {{"nodes", count(report.nodes)},
          {"hosts", count(report.hosts)},
          {"switches", count(report.switches)},
          {"links", count(report.links)},
          {"cables", count(report.cables)},
          {"degree", count(report.degree)},
          {"diameter", fields::or_nothing(report.diameter)},
          {"radius", fields::or_nothing(report.radius)},
          {"average_distance", fields::or_nothing(report.average_distance)},
          {"bidirectional", report.bidirectional},
          {"connected", fields::or_nothing(report.connected)},
          {"min_degree", count(std::min(report.degrees.min_out, report.degrees.min_in))},
          {"max_degree", count(std::max(report.degrees.max_out, report.degrees.max_in))},
          {"moore_diameter", fields::or_nothing(report.moore_diameter)},
          {"edge_connectivity", fields::or_nothing(report.edge_connectivity)},
          {"girth", fields::or_nothing(report.girth)},
          {"bisection_lower", fields::or_nothing(bisection, &analysis::Bisection::lower)},
          {"bisection_upper", fields::or_nothing(bisection, &analysis::Bisection::upper)},
          {"vertex_transitive", fields::or_nothing(report.vertex_transitive)},
          {"reverse_symmetric", fields::or_nothing(report.reverse_symmetric)}};
}

// On tori, 2dfc and Kautz graphs of 4 to 2304 nodes: 1 ms to 60 ms.
constexpr double kNodePair_s = 5e-8;

Estimate estimate_of(const Row& row) {
  const auto nodes = static_cast<double>(row.nodes);
  return {.time_s = kReport_s + nodes * nodes * kNodePair_s, .memory_B = kRow_B};
}

}  // namespace

RowKind topology_kind() {
  return {.name = "topology",
          .subject = Subject::topology,
          .fields = {&fields::kTopology},
          .needed = {"topology"},
          .measures = {"nodes",
                       "hosts",
                       "switches",
                       "links",
                       "cables",
                       "degree",
                       "diameter",
                       "average_distance",
                       {"bidirectional", Measure::Type::truth},
                       {"connected", Measure::Type::truth},
                       "radius",
                       "min_degree",
                       "max_degree",
                       "moore_diameter",
                       "edge_connectivity",
                       "girth",
                       "bisection_lower",
                       "bisection_upper",
                       {"vertex_transitive", Measure::Type::truth},
                       {"reverse_symmetric", Measure::Type::truth}},
          .chart = {.y = "diameter"},
          .resolve = resolve_topology,
          .contents = contents_of_topology,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
