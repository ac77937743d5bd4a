#include "plan_times.hpp"

#include <algorithm>
#include <limits>

#include "weft/program/lowered.hpp"

namespace weft::advise {

simulation::SimulationResult time_for_plan(const evaluate::ContestRun& run, const Network& network,
                                           const simulation::SimulationOptions& options) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  constexpr std::int64_t kFewMessages = 20'000;  // some milliseconds for all of them
  if (run.verified.schedule().message_count() <= kFewMessages)
    return simulation::simulate(lower(run.verified, {.size_B = run.size_B, .copies = run.copies}),
                                network, options);
  simulation::SimulationOptions left = options;
  const evaluate::SegmentedRun timed(run, network, left);
  std::int64_t work = 0;
  const auto spend = [&](std::int64_t more) {
    work += more;
    left.most_work = std::max<std::int64_t>(0, options.most_work - work);
  };
  if (timed.has_many() && options.limit_s < kNoLimit) {
    simulation::SimulationResult first = timed.first();
    first.ended_early = first.ended_early || first.time_s > options.limit_s;
    if (first.ended_early) return first;
    spend(first.work);
  }
  const auto [seen, work_of_few] = timed.by_few();
  spend(work_of_few);
  simulation::SimulationResult result;
  if (seen)
    result.time_s = seen->time_s;
  else
    result = timed.whole();
  result.work += work;
  return result;
}

evaluate::ContestRules plan_rules(const Network& network) {
  // A plan is made once for many calls.
  constexpr std::int64_t kSegmentSearches = 8;
  return {.time_of_segments =
              [&](const evaluate::ContestRun& run, const simulation::SimulationOptions& options) {
                return time_for_plan(run, network, options);
              },
          .segment_searches = kSegmentSearches};
}

}  // namespace weft::advise
