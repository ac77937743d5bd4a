#include "weft/rows/kinds/testbed_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/fields/setup.hpp"
#include "weft/program/program.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/testbed/layout.hpp"

namespace weft::rows {

namespace {

constexpr std::int64_t kFloat_B = 4;  // what weft-bench sends

std::string file_of(const Row& row) {
  return kMeasurements.find_or_path(kMeasurementsFile.in(row.parameters)).path;
}

// The network as weft testbed compare has it.
Network network_of_call(Values parameters) {
  parameters["link"] = fmt::format("{}Bps,{}", testbed::payload_Bps(kLinkRate.in(parameters)),
                                   format_time(testbed::kHop_ps));
  parameters["alpha-per"] = std::string("step");
  return fields::make_network(parameters);
}

}  // namespace

std::int64_t read_link_rate(std::string_view, std::string_view text) {
  return testbed::parse_rate(text);
}

Value show_link_rate(const std::int64_t& rate_Bps) {
  return testbed::format_rate(rate_Bps);
}

TestbedForecast forecast_call(const Values& parameters) {
  using simulation::Model;
  const Network network = network_of_call(parameters);
  const Collective collective = fields::make_collective(parameters, network.ranks());
  const std::int64_t size_B = fields::count_in(parameters, "size", 0);
  const Verified verified = evaluate::schedule_for_size(fields::text_in(parameters, "algorithm"),
                                                        collective, network, {}, size_B);
  const Cost cost = schedule::cost(verified, network);
  const Program program = lower(verified, {.size_B = size_B, .element_B = kFloat_B});
  return {.steps = cost.steps,
          .bandwidth_factor = cost.bandwidth_factor,
          .buffer_B = static_cast<double>(collective.total_bytes(size_B)) /
                      static_cast<double>(collective.blocks()) *
                      static_cast<double>(collective.blocks_in_m()),
          .fluid_s = simulate(program, network, {.model = Model::fluid}).time_s,
          .alpha_beta_s = simulate(program, network, {.model = Model::alpha_beta}).time_s};
}

Measurements measurements_of(const Row& row) {
  const std::string path = file_of(row);
  return parse_measurements(read_file(path), path);
}

void require_measured(
    std::span<const Row> rows,
    const std::function<void(const Row& row, const std::string& reason)>& refuse) {
  std::map<std::string, Measurements> read;  // by the name in the rows
  for (const Row& row : rows) {
    if (!row.kind->has(kMeasurementsFile.name)) continue;
    const std::string name = kMeasurementsFile.in(row.parameters);
    try {
      if (!read.contains(name)) read.emplace(name, measurements_of(row));
    } catch (const InvalidInput& error) {
      refuse(row, fmt::format("{}; weft reproduce measures what is missing", error.what()));
    }
    if (row.kind->name != "testbed") continue;  // others take all of a file
    if (const auto fault = unmeasured(row, read.at(name))) refuse(row, *fault);
  }
}

std::optional<std::string> unmeasured(const Row& row, const Measurements& measurements) {
  const Texts asked = asked_in(row.parameters);
  if (measurements.find(asked) != nullptr) return std::nullopt;
  std::string described;
  for (const auto& [name, value] : asked)
    described += fmt::format("{}{}={}", described.empty() ? "" : " ", name, value);
  return fmt::format("{} has no time of {}; measure it with weft reproduce",
                     kMeasurementsFile.in(row.parameters), described);
}

std::string contents_of_measurements(const Row& row, FactsOfNetworks& facts) {
  const std::string name = kMeasurementsFile.in(row.parameters);
  const auto shipped = kMeasurements.all();
  // What is still to be measured has no file, and rows that are expanded to be measured say so.
  const bool there =
      is_regular_file(name) || std::ranges::find(shipped, name, &NamedFile::name) != shipped.end();
  std::string text =
      there ? fmt::format("measurements={:08x}\n", checksum(read_file(file_of(row)))) : "";
  return row.kind->has_topology() ? contents_of_topology(row, facts) + text : text;
}

}  // namespace weft::rows
