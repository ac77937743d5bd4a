#include "weft/simulation/steady.hpp"

#include <cmath>

#include "weft/base/checked.hpp"
#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/reading/step_ends.hpp"

namespace weft::simulation {

namespace {

// Segments that growth is seen over. Where it still changes, over the longer span it is another.
constexpr std::int64_t kSpan = 10, kLongSpan = 20;
// Segments that it is given to settle in, once the first one is through.
constexpr std::int64_t kSettling = 4;

// Seconds that a segment more takes, as seen over so many up to the last that was simulated.
double growth_s(const StepEnds& ends, const schedule::Segments& run, std::int64_t span) {
  const std::int64_t last = (run.count - 1) * run.stride;  // in which the last one begins
  return (ends.last_s(last) - ends.last_s(last - span * run.stride)) / static_cast<double>(span);
}

}  // namespace

std::int64_t fewest_steady(const schedule::Schedule& schedule) {
  const std::int64_t stride = schedule.segments().stride;
  return kSettling + kLongSpan + 1 + (schedule.stored_steps() + stride - 2) / stride;
}

std::optional<SteadyTime> steady_time(const Verified& verified,
                                      const program::LowerOptions& lowering, const Network& network,
                                      const SimulationOptions& options, std::int64_t few) {
  const std::int64_t segments = verified.schedule().segments().count;
  if (options.model != Model::fluid || options.sync == Sync::dataflow || few >= segments ||
      few < fewest_steady(verified.schedule()) || network.routing().sees_whole_step())
    return std::nullopt;
  check_options(options);
  StepEnds ends;
  const Verified run = verified.with_segments(few);
  program::LowerOptions shorter = lowering;
  const std::int64_t elements = mul_div(lowering.size_B / lowering.element_B, few, segments);
  shorter.size_B = elements * lowering.element_B;
  const SimulationResult result =
      simulate_fluid(lower(run, shorter), network, options, {.ends = &ends});
  const schedule::Segments of_run = run.schedule().segments();
  if (ends.steps() <= (few - 1) * of_run.stride) return std::nullopt;
  const double each_s = growth_s(ends, of_run, kSpan);
  const double before_s = growth_s(ends, of_run, kLongSpan);
  const auto more = static_cast<double>(segments - few);
  return SteadyTime{result.time_s + more * each_s, more * std::abs(each_s - before_s)};
}

}  // namespace weft::simulation
