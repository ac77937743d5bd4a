// Rows of all-to-all throughput.
#include "weft/flow/throughput.hpp"
#include "weft/analysis/bounds.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/fields/throughput_fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"
#include "weft/search/finder.hpp"
#include "weft/topology/registry.hpp"

namespace weft::rows {

namespace {

// What is certified within a time depends on the machine, and rows must not.
constexpr double kNoLimit_s = 1e8;

Values answer(const Row& row, Workspace&) {
  const Values& parameters = row.parameters;
  const Topology topology = make_topology(fields::text_in(parameters, "topology"));
  contents_of_files(row);
  flow::ThroughputOptions options{.time_limit_s = kNoLimit_s};
  fields::set_members(options, fields::throughput_members(), parameters);
  const flow::Throughput found = flow::all_to_all_throughput(topology, {}, options);
  const std::int64_t hosts = found.hosts, degree = topology.nominal_degree();
  // Switches that only join hosts have no links for a bound to speak of.
  const double moore = degree < 1 || hosts < 2
                           ? 0
                           : search::throughput_bound(found.hosts, topology.nominal_degree(),
                                                      search::Direction::one_way)
                                 .to_double();
  // A block for each host at rate f links of a node's d: M/B times d / (N f).
  const auto factor = [&](double throughput) {
    return static_cast<double>(degree) / (static_cast<double>(hosts) * throughput);
  };
  const double m_s =
      static_cast<double>(fields::kBuffer.in(parameters)) /
      (static_cast<double>(degree) * static_cast<double>(fields::kRate.in(parameters)));
  const auto distances = analysis::summarize_distances(topology);
  return {{"throughput", found.throughput},
          {"upper_bound", found.upper_bound},
          {"gap_reached", found.gap()},
          {"exact_throughput", fields::or_nothing(found.exact)},
          {"method_used", std::string(flow::to_string(found.method))},
          {"distance_bound", found.distance_bound},
          {"moore_bound", moore},
          {"excess", moore / found.throughput - 1},
          {"least_excess", moore / found.upper_bound - 1},
          {"hosts", hosts},
          {"degree", degree},
          {"diameter", std::int64_t{distances.diameter()}},
          {"moore_diameter",
           fields::or_nothing(analysis::moore_steps(hosts, static_cast<int>(degree)))},
          {"bandwidth_factor", factor(found.throughput)},
          {"time", factor(found.throughput) * m_s},
          {"least_time", factor(found.upper_bound) * m_s},
          {"moore_time", factor(moore) * m_s}};
}

// On networks without symmetry, at a gap of 1 %: of 900 to 1,000 nodes of degree 4 those of
// generalised Kautz graphs take 0.6 to 2.3 s of a core of 2026, double binary trees 2 s and random
// graphs 3 s. Cayley networks take milliseconds.
Estimate estimate_of(const Row& row) {
  constexpr double kFlowPair_s = 3.5e-6;
  const auto nodes = static_cast<double>(row.nodes);
  return {.time_s = kReport_s + nodes * nodes * kFlowPair_s, .memory_B = kRow_B + nodes * nodes};
}

}  // namespace

RowKind throughput_kind() {
  return {.name = "throughput",
          .subject = Subject::topology,
          .fields = {&fields::kTopology, &fields::kGap, &fields::kMethod, &fields::kRate,
                     &fields::kBuffer},
          .needed = {"topology"},
          .measures = {"throughput", "upper_bound", "gap_reached", "exact_throughput",
                       "method_used", "distance_bound", "moore_bound", "excess", "least_excess",
                       "hosts", "degree", "diameter", "moore_diameter", "bandwidth_factor", "time",
                       "least_time", "moore_time"},
          .chart = {.y = "throughput"},
          .resolve = resolve_topology,
          .contents = contents_of_topology,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
