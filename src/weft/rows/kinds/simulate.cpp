// Rows of one simulation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "weft/advise/comparison.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/columns.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/kinds/unequal_rows.hpp"
#include "weft/rows/row_collective.hpp"
#include "weft/rows/row_key.hpp"
#include "weft/simulation/measured_numbers.hpp"

namespace weft::rows {

namespace {

using answer::Parts;
using simulation::SimulationResult;

// Prices that hold for blocks of one size alone.
constexpr std::array kOfEqualBlocks{"bandwidth_factor", "bandwidth_factor_bound", "max_link_load"};

// The table of what a row measures of packets.
Parts<SimulationResult> packet_measures() {
  constexpr answer::PartOf<SimulationResult> part;
  return part.within(&SimulationResult::packet,
                     without_keys(simulation::packet_parts(),
                                  {"router", "acknowledgements", "p50_latency", "link_crossings",
                                   "packet_crossings", "class_bytes", "max_buffered", "events"}));
}

Parts<SimulationResult> measured_parts() {
  return join(simulation::measured_numbers(), packet_measures());
}

// Packets on links of a class; nothing where there are no packets.
Value packets_over(std::string_view link_class, const SimulationResult& result) {
  if (!result.packet) return {};
  for (const simulation::ClassTraffic& traffic : result.packet->traffic.classes)
    if (traffic.name == link_class) return traffic.packets;
  return std::int64_t{0};
}

// The fastest of all that fit, as weft compare finds it.
std::string best_of(const Row& row, Workspace& workspace) {
  const auto network = network_of(row, contents_of_files(row), workspace);
  CompareOptions options;
  options.algorithms = {std::string(kAll)};
  options.sizes_B = {fields::count_in(row.parameters, "size", 0)};
  options.simulation = fields::simulation_options_in(row.parameters);
  if (const auto counts = counts_in(row.parameters, network->ranks()))
    options.blocks = counts->blocks;
  const Comparison found =
      advise::compare(collective_in(row.parameters, network->ranks()), *network, options);
  require(found.complete, "the search for the fastest takes too long; name the algorithms");
  const auto winners = found.winners();
  WEFT_ASSERT(!winners.empty() && winners.front()->contender < found.contenders.size());
  return found.contenders[winners.front()->contender].algorithm;
}

Values answer(const Row& row, Workspace& workspace) {
  if (fields::asks_for_best(row.parameters)) {
    Row of_winner = row;
    const std::string winner = best_of(row, workspace);
    of_winner.parameters["algorithm"] = winner;
    of_winner.key = key_of(of_winner, contents_of_files(row));  // of its files as they are now
    Values values = answer(of_winner, workspace);
    values["chosen"] = winner;
    return values;
  }
  const Values& parameters = row.parameters;
  const auto setup = prepared(row, workspace);
  const std::int64_t size_B = fields::count_in(parameters, "size", 0);
  Candidate candidate = setup->candidate();
  if (const auto counts = counts_in(parameters, setup->network().ranks()))
    candidate.blocks = counts->blocks;
  evaluate::settle_alone(candidate, {size_B}, setup->network(),
                         fields::simulation_options_in(parameters));
  const schedule::Verified verified = candidate.for_size(size_B);
  const Program program = repeat(lower(verified, {.size_B = size_B,
                                                  .copies = candidate.copies_of(verified),
                                                  .blocks = candidate.blocks}),
                                 fields::calls_in(parameters));
  const auto result =
      simulation::simulate(program, setup->network(), fields::simulation_options_in(parameters));
  const Parts<SimulationResult> parts = measured_parts();
  Values values = values_of(result, parts, all_columns(parts));
  values.merge(setup->price(verified));
  if (candidate.blocks)
    for (const char* of_equal_blocks : kOfEqualBlocks) values.erase(of_equal_blocks);
  values["segments_used"] = verified.schedule().segments().count;
  for (const char* link_class : {"global", "local"})
    values[fmt::format("{}_packets", link_class)] = packets_over(link_class, result);
  return values;
}

Estimate estimate_of(const Row& row) {
  const auto calls = static_cast<double>(fields::calls_in(row.parameters));
  Estimate of_all =
      fields::by_packets(row.parameters) ? estimate_packets(row, 1) : estimate_schedule(row);
  of_all.time_s *= calls;
  of_all.packet_hops *= calls;
  return of_all;
}

void resolve(Row& row, FactsOfNetworks& facts) {
  resolve_with_counts(row, facts, resolve_run);
  resolve_calls(row.parameters);
}

// Numbers of the run, of the schedule, and of packets.
std::vector<Measure> measures() {
  const auto numbers = without_keys(simulation::measured_numbers(), {"messages"});
  std::vector<Measure> measures = measures_of(numbers, all_columns(numbers));
  measures.insert(measures.end(), {"steps",
                                   "messages",
                                   "segments_used",
                                   "bandwidth_factor",
                                   "bandwidth_factor_bound",
                                   "steps_bound",
                                   "max_link_load",
                                   {"verified", Measure::Type::truth}});
  const auto packets = packet_measures();
  std::ranges::copy(measures_of(packets, all_columns(packets)), std::back_inserter(measures));
  measures.insert(measures.end(), {"global_packets", "local_packets", "chosen"});
  return measures;
}

}  // namespace

std::vector<ColumnMeaning> simulate_columns() {
  const Parts<SimulationResult> parts = measured_parts();
  return meanings_of(parts, all_columns(parts));
}

RowKind simulate_kind() {
  return {.name = "simulate",
          .fields = with_counts(fields::schedule_fields(
              {.sized = true, .started = true, .simulated = true},
              {fields::call_fields().begin(), fields::call_fields().end()})),
          .measures = measures(),
          .chart = {.x = "size", .y = "time", .series = "algorithm", .timed = true},
          .adapt_machine = leave_size_to_counts,
          .resolve = resolve,
          .contents = contents_with_counts,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
