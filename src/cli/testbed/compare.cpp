// weft testbed compare: what schedules take in a testbed, beside what the models estimate.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "cli/answers/parts.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/testbed/measure.hpp"
#include "cli/testbed/testbed.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

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

// How many times as long as the fluid model predicts.
std::string ratio_text(const Row& row) {
  return row.fluid_s ? fmt::format("{:.3f}", row.measured.least_s / *row.fluid_s) : "-";
}

Parts<Row> row_parts() {
  constexpr PartOf<Row> part;
  const auto measured = [](auto member) {
    return [member](const Row& row) { return row.measured.*member; };
  };
  const auto predicted = [](auto member) {
    return [member](const Row& row) {
      const std::optional<double>& time_s = row.*member;
      return time_s ? format_seconds(*time_s) : std::string("-");
    };
  };
  return {part("algorithm", "algorithm", Unit::none,
               "algorithm, or native for the choice of the MPI", &Row::algorithm),
          part(keys::kSize, "size", &Row::size_B),
          part("measured_time", "measured", Unit::seconds, "shortest time of the slowest rank",
               measured(&BoxTimes::least_s)),
          part("measured_median", "median", Unit::seconds, "median time of the slowest rank",
               measured(&BoxTimes::median_s)),
          part("calls", "", Unit::none, "measured calls", measured(&BoxTimes::calls)),
          part("fluid_time", "fluid", Unit::seconds, "time by the fluid model, or null for native",
               &Row::fluid_s)
              .shown_as(predicted(&Row::fluid_s)),
          part("alpha_beta_time", "alpha-beta", Unit::seconds,
               "time by the alpha-beta model, or null for native", &Row::alpha_beta_s)
              .shown_as(predicted(&Row::alpha_beta_s)),
          part.line("measured/fluid", ratio_text)};
}

struct Comparison {
  const TestbedOptions& options;
  const Network& network;
  std::vector<Row> rows;
};

Parts<Comparison> comparison_parts() {
  constexpr PartOf<Comparison> part;
  return {
      part(keys::kCollective, [](const Comparison& c) { return c.options.program.front(); }),
      part(keys::kTopology, [](const Comparison& c) { return c.network.topology().name(); }),
      part(keys::kRouting, [](const Comparison& c) { return c.network.routing().name(); }),
      part(keys::kRanks, [](const Comparison& c) { return c.network.ranks(); }),
      part("rate", "", Unit::bytes_per_second, "rate of each direction of a link, with headers",
           [](const Comparison& c) { return testbed::parse_rate(c.options.rate); }),
      part("alpha", "", Unit::seconds, "time that a rank waits before each step",
           [](const Comparison& c) { return parse_seconds(c.options.alpha); }),
      part.list("rows", "times of each algorithm at each size", &Comparison::rows, row_parts())};
}

void print_table(const std::vector<Row>& rows, Streams& streams) {
  constexpr auto kColumns = std::to_array<answer::Column>({{"algorithm"},
                                                           {"size"},
                                                           {"measured_time"},
                                                           {"measured_median"},
                                                           {"fluid_time"},
                                                           {"alpha_beta_time"},
                                                           {"measured/fluid"}});
  const answer::Cells cells =
      answer::cells_of<Row>(rows, row_parts(), kColumns, answer::Reader::person);
  streams.out << table_of(cells).text(screen_of(streams));
}

}  // namespace

answer::Shape testbed_comparison_shape() {
  return {"measured and predicted times, of compare", texts_of(comparison_parts())};
}

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
  WEFT_ASSERT(measured.times.size() == calls.size());
  std::vector<Row> rows;
  for (std::size_t i = 0; i < calls.size(); ++i)
    rows.push_back(row_of(calls[i], measured.times[i], network));
  if (options.common.json)
    print_json("testbed", Comparison{options, network, rows}, comparison_parts(), options.common,
               streams);
  else
    print_table(rows, streams);
  return kFine;
}

}  // namespace weft::cli
