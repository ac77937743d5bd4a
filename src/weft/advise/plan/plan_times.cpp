#include "plan_times.hpp"

#include <limits>

#include "weft/evaluate/winner.hpp"
#include "weft/program/lowered.hpp"

namespace weft::advise {

double plan_time_s(const evaluate::ContestRun& run, const Network& network,
                   const simulation::SimulationOptions& options, double enough_s) {
  constexpr double kTooLong = std::numeric_limits<double>::infinity();
  constexpr std::int64_t kFewMessages = 20'000;  // some milliseconds for all of them
  if (run.verified.schedule().message_count() <= kFewMessages) {
    simulation::SimulationOptions limited = options;
    limited.limit_s = evaluate::tie_limit_s(enough_s);
    const simulation::SimulationResult whole = simulation::simulate(
        lower(run.verified, {.size_B = run.size_B, .copies = run.copies}), network, limited);
    return whole.ended_early ? kTooLong : whole.time_s;
  }
  const evaluate::SegmentedRun timed(run, network, options);
  if (timed.has_many() && enough_s < kTooLong && timed.first_s() > enough_s) return kTooLong;
  const auto seen = timed.by_few();
  return seen.time ? seen.time->time_s : timed.whole_s();
}

evaluate::ContestRules plan_rules(const Network& network,
                                  const simulation::SimulationOptions& options) {
  return {.time_of_segments = [&](const evaluate::ContestRun& run, double enough_s) {
    return plan_time_s(run, network, options, enough_s);
  }};
}

}  // namespace weft::advise
