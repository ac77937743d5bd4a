// Rows of one simulation.
#include "weft/advise/comparison.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

// The fastest of all that fit, as weft compare finds it.
std::string best_of(const Row& row, Workspace& workspace) {
  const auto network = network_of(row, contents_of_files(row), workspace);
  CompareOptions options;
  options.algorithms = {std::string(kAll)};
  options.sizes_B = {fields::count_in(row.parameters, "size", 0)};
  options.simulation = fields::simulation_options_in(row.parameters);
  const Comparison found =
      advise::compare(fields::make_collective(row.parameters, network->ranks()), *network, options);
  require(found.complete, "the search for the fastest takes too long; name the algorithms");
  return found.contenders[found.winners().front()->contender].algorithm;
}

Values answer(const Row& row, Workspace& workspace) {
  if (fields::asks_for_best(row.parameters)) {
    Row of_winner = row;
    const std::string winner = best_of(row, workspace);
    of_winner.parameters["algorithm"] = winner;
    Values values = answer(of_winner, workspace);
    values["chosen"] = winner;
    return values;
  }
  const Values& parameters = row.parameters;
  const auto setup = prepared(row, workspace);
  const std::int64_t size_B = fields::count_in(parameters, "size", 0);
  Candidate candidate = setup->candidate();
  evaluate::settle_alone(candidate, {size_B}, setup->network(),
                         fields::simulation_options_in(parameters));
  const schedule::Verified verified = candidate.for_size(size_B);
  const Program program =
      repeat(lower(verified, {.size_B = size_B, .copies = candidate.copies_of(verified)}),
             fields::calls_in(parameters));
  const auto result =
      simulation::simulate(program, setup->network(), fields::simulation_options_in(parameters));
  Values values = setup->price(verified);
  values["time"] = result.time_s;
  values["algorithm_bandwidth"] = result.algorithm_bandwidth_Bps;
  values["bus_bandwidth"] = result.bus_bandwidth_Bps;
  values["messages"] = result.messages;
  values["segments_used"] = verified.schedule().segments().count;
  fields::add_packet_measures(result, values);
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
  resolve_run(row, facts);
  resolve_calls(row.parameters);
}

}  // namespace

Kind simulate_kind() {
  return {.name = "simulate",
          .fields =
              fields::schedule_fields({.sized = true, .started = true, .simulated = true},
                                      {fields::call_fields().begin(), fields::call_fields().end()}),
          .measures = {"time",
                       "algorithm_bandwidth",
                       "bus_bandwidth",
                       "steps",
                       "messages",
                       "segments_used",
                       "bandwidth_factor",
                       "bandwidth_factor_bound",
                       "steps_bound",
                       "max_link_load",
                       {"verified", Measure::Type::truth},
                       "packets",
                       "mean_latency",
                       "p99_latency",
                       "max_latency",
                       "mean_hops",
                       "packet_hops",
                       "global_packets",
                       "local_packets",
                       "chosen"},
          .chart = {.x = "size", .y = "time", .series = "algorithm", .timed = true},
          .resolve = resolve,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
