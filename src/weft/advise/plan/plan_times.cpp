#include "plan_times.hpp"

#include <limits>

namespace weft::advise {

double plan_time_s(const evaluate::ContestRun& run, const Network& network,
                   const simulation::SimulationOptions& options, double enough_s) {
  constexpr double kTooLong = std::numeric_limits<double>::infinity();
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
