// Rows of a load curve: latency at an offered load, or the load at which the network saturates.
//
// Cycles and flits take the place of seconds and bytes, so that fields have names of their own
// where rows of other kinds mean something else by `vcs` and `buffer`.
#include "weft/simulation/load_curve.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "weft/advise/load_point_parts.hpp"
#include "weft/base/error.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/read_number.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/columns.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"
#include "weft/topology/registry.hpp"

namespace weft::rows {

namespace {

using simulation::LoadCurveOptions;

constexpr std::string_view kSaturation = "saturation";

Value read_load(std::string_view, std::string_view text) {
  if (text == kSaturation) return std::string(kSaturation);
  const auto load = fields::read_number(text);
  require(load && *load > 0 && *load <= 1,
          "invalid load '{}' in flits per host and cycle (expected above 0 and at most 1, or "
          "\"saturation\" for the highest stable load)",
          text);
  return *load;
}

constexpr auto kLoad =
    fields::field<read_load, fields::as_is<Value>>("offered-load", std::string_view("saturation"));
constexpr auto kTraffic = fields::text<fields::any_text>("traffic-pattern", "uniform");
constexpr auto kChannels = fields::count<1, 64>("router-vcs", "8");
constexpr auto kBufferFlits = fields::count<1, 1 << 20>("router-buffer", "8");
constexpr auto kPacketFlits = fields::count<1, 1 << 20>("packet-flits", "1");
constexpr auto kWarmup = fields::count<0>("warmup-cycles", "0");
constexpr auto kMeasured = fields::count<0>("measured-cycles", "0");

std::optional<std::int64_t> cycles_in(const auto& field, const Values& parameters) {
  const std::int64_t cycles = field.in(parameters);
  return cycles == 0 ? std::nullopt : std::optional(cycles);
}

Values answer(const Row& row, Workspace&) {
  const Values& parameters = row.parameters;
  const Fabric fabric(build_topology(fields::text_in(parameters, "topology")));
  contents_of_files(row);
  LoadCurveOptions options{.traffic = kTraffic.in(parameters),
                           .routing = fields::text_in(parameters, "routing"),
                           .packet_flits = static_cast<int>(kPacketFlits.in(parameters)),
                           .warmup_cycles = cycles_in(kWarmup, parameters),
                           .measured_cycles = cycles_in(kMeasured, parameters),
                           .seed = fields::seed_in(parameters)};
  options.router.channels = static_cast<int>(kChannels.in(parameters));
  options.router.buffer_flits = static_cast<int>(kBufferFlits.in(parameters));
  const simulation::LoadCurve network(fabric, options);
  Values values{{"routing_used", network.routing()}};
  const Value load = kLoad.in(parameters);
  if (!std::holds_alternative<double>(load)) {
    values["saturation"] = network.saturation();
    return values;
  }
  const auto point = network.measure(std::get<double>(load));
  values.merge(values_of(point, advise::load_point_parts(), advise::load_point_columns()));
  return values;
}

// 30,000 cycles of up to a flit a host and cycle over some links, at 100 ns a flit and hop; a
// saturation is found by some seven runs.
Estimate estimate_of(const Row& row) {
  constexpr double kCycles = 30'000, kHops = 4, kFlitHop_s = 1e-7, kRuns = 7;
  const double runs = std::holds_alternative<double>(kLoad.in(row.parameters)) ? 1 : kRuns;
  return {
      .time_s = kReport_s + runs * kCycles * kHops * kFlitHop_s * static_cast<double>(row.hosts),
      .memory_B = kRow_B};
}

// `auto` stays: LoadCurve chooses another routing for it than schedules have.
void resolve(Row& row, FactsOfNetworks& facts) {
  const Value routing = row.parameters.at("routing");
  resolve_topology(row, facts);
  row.parameters["routing"] = routing;
}

}  // namespace

std::vector<ColumnMeaning> load_curve_columns() {
  return meanings_of(advise::load_point_parts(), advise::load_point_columns());
}

RowKind load_curve_kind() {
  const std::vector<const Field*> of_schedules = fields::schedule_fields({}, {});
  const auto shared = [&](std::string_view name) {
    const auto found = std::ranges::find(of_schedules, name, &Field::name);
    WEFT_ASSERT(found != of_schedules.end());
    return *found;
  };
  auto measures = measures_of(advise::load_point_parts(), advise::load_point_columns());
  for (const char* of_curve : {"saturation", "routing_used"}) measures.emplace_back(of_curve);
  return {.name = "load-curve",
          .subject = Subject::topology,
          .fields = {&fields::kTopology, shared("routing"), &kTraffic, &kLoad, &kChannels,
                     &kBufferFlits, &kPacketFlits, &kWarmup, &kMeasured, shared("seed")},
          .needed = {"topology"},
          .measures = std::move(measures),
          .chart = {.x = "offered-load", .y = "mean_latency", .series = "routing"},
          .resolve = resolve,
          .contents = contents_of_topology,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
