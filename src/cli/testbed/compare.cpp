// weft testbed compare: what schedules take in a testbed, beside what the models foretell.
#include <fmt/format.h>

#include <optional>

#include "cli/options/algorithm_list.hpp"
#include "cli/testbed/measure.hpp"
#include "cli/testbed/testbed.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

struct Row {
  std::string algorithm;
  std::int64_t size_B = 0;
  std::optional<double> fluid_s = {}, alpha_beta_s = {};  // nothing of the MPI's own
  BoxTimes measured = {};
};

std::vector<BoxCall> calls_of(const TestbedOptions& options, const Collective& collective,
                              const Network& network, const std::vector<std::int64_t>& sizes_B) {
  std::vector<BoxCall> calls;
  for (const std::string& name : algorithms_named(options.algorithms, collective, network))
    for (const std::int64_t size_B : sizes_B) {
      auto call = schedule_call(name, collective, network, size_B);
      if (call) {
        calls.push_back(*std::move(call));
        continue;
      }
      require(options.algorithms.empty(),
              "{} needs switches that combine or explicit paths, which MPI programs cannot use; "
              "leave it out",
              name);
      break;
    }
  for (const std::int64_t size_B : sizes_B) calls.push_back({.algorithm = {}, .size_B = size_B});
  return calls;
}

Row row_of(const BoxCall& call, const BoxTimes& times, const Network& network) {
  Row row{.algorithm = call.program ? call.algorithm : "native",
          .size_B = call.size_B,
          .measured = times};
  if (!call.program) return row;
  using simulation::Model;
  row.fluid_s = simulate(*call.program, network, {.model = Model::fluid}).time_s;
  row.alpha_beta_s = simulate(*call.program, network, {.model = Model::alpha_beta}).time_s;
  return row;
}

Json json_of(const std::vector<Row>& rows, const TestbedOptions& options, const Network& network) {
  Json json = answer("testbed", options.common);
  json["collective"] = options.program.front();
  json["topology"] = network.topology().name();
  json["routing"] = std::string(network.routing().name());
  json["ranks"] = network.ranks();
  json["rate"] = testbed::parse_rate(options.rate);
  json["alpha"] = parse_seconds(options.alpha);
  json["rows"] = Json::array();
  for (const Row& row : rows)
    json["rows"].push_back({{"algorithm", row.algorithm},
                            {"size", row.size_B},
                            {"measured_time", row.measured.least_s},
                            {"measured_median", row.measured.median_s},
                            {"calls", row.measured.calls},
                            {"fluid_time", row.fluid_s},
                            {"alpha_beta_time", row.alpha_beta_s}});
  return json;
}

void print_table(const std::vector<Row>& rows, Streams& streams) {
  Table table({"algorithm", "size", "measured", "median", "fluid", "alpha-beta", "measured/fluid"});
  const auto time = [](const std::optional<double>& seconds) {
    return seconds ? format_seconds(*seconds) : std::string("-");
  };
  for (const Row& row : rows)
    table.add({row.algorithm, format_size(row.size_B), format_seconds(row.measured.least_s),
               format_seconds(row.measured.median_s), time(row.fluid_s), time(row.alpha_beta_s),
               row.fluid_s ? fmt::format("{:.3f}", row.measured.least_s / *row.fluid_s) : "-"});
  streams.out << table.text(screen_of(streams));
}

}  // namespace

int compare_in_testbed(const TestbedOptions& options, Streams& streams) {
  const Network network = testbed_network(options);
  const testbed::Layout layout = testbed_layout(options, network);
  const Collective collective{schedule::parse_collective(options.program.front()), network.ranks()};
  const std::vector<std::int64_t> sizes_B = parse_sizes(options.sizes);
  for (const std::int64_t size_B : sizes_B) require_runs_own(collective, size_B);
  (void)testbed_launch(options, {"weft-bench"});  // is it there?
  const std::vector<BoxCall> calls = calls_of(options, collective, network, sizes_B);
  Progress::enable(false);
  const BoxMeasurement measured = measure_in_box(options, collective, layout, calls);
  if (measured.failed) {
    streams.err << "weft: the measurement did not come to its end; the testbed is gone\n";
    return *measured.failed;
  }
  std::vector<Row> rows;
  for (std::size_t i = 0; i < calls.size(); ++i)
    rows.push_back(row_of(calls[i], measured.times[i], network));
  if (options.common.json)
    print(json_of(rows, options, network), streams);
  else
    print_table(rows, streams);
  return kFine;
}

}  // namespace weft::cli
