#include "weft/simulation/steady.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/reading/step_ends.hpp"
#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

namespace {

// Segments that growth is seen over. Where it still changes, over the longer span it is another.
constexpr std::int64_t kSpan = 10, kLongSpan = 20;
// Segments that it is given to settle in, once the first one is through.
constexpr std::int64_t kSettling = 4;

// What each agent has done in the segments that were simulated.
class Pipeline {
 public:
  Pipeline(const StepEnds& ends, const schedule::Segments& run) : ends_(ends), run_(run) {
    WEFT_ASSERT(run_.count > kLongSpan && run_.stride >= 1);
    WEFT_ASSERT(ends_.steps() > (run_.count - 1) * run_.stride);
  }

  // Seconds that agents go on for after the simulated end, with so many segments more; each takes
  // as long for one as it did, of a span up to the last. Also who is behind others that are slower.
  double longer_s(double more, std::int64_t span) const {
    WEFT_ASSERT(more >= 1 && span >= 1 && span <= kLongSpan);
    std::vector<double> growths_s(ends_.places());
    for (std::size_t place = 0; place < growths_s.size(); ++place)
      growths_s[place] = growth_s(place, span);
    const double greatest_s = *std::ranges::max_element(growths_s);
    double end_s = 0, later_s = 0;
    for (std::size_t place = 0; place < growths_s.size(); ++place) {
      const double end_of_it_s = last_s(place);
      if (end_of_it_s == 0) continue;  // it did nothing
      const double each_s = growths_s[place] < 0 ? greatest_s : growths_s[place];
      end_s = std::max(end_s, end_of_it_s);
      later_s = std::max(later_s, end_of_it_s + more * each_s);
    }
    return later_s - end_s;
  }

 private:
  // In each step in which a segment may be; below 0 where the agent did nothing in any of them.
  double growth_s(std::size_t place, std::int64_t span) const {
    const std::int64_t last = (run_.count - 1) * run_.stride;  // in which the last one begins
    double growth_s = -1;
    for (std::int64_t step = last; step > last - run_.stride; --step) {
      const double before_s = ends_.left_s(step - span * run_.stride, place);
      const double after_s = ends_.left_s(step, place);
      if (before_s > 0 && after_s > 0)
        growth_s = std::max(growth_s, (after_s - before_s) / static_cast<double>(span));
    }
    return growth_s;
  }
  double last_s(std::size_t place) const {
    for (std::int64_t step = ends_.steps() - 1; step >= 0; --step)
      if (const double end_s = ends_.left_s(step, place); end_s > 0) return end_s;
    return 0;
  }

  const StepEnds& ends_;
  const schedule::Segments& run_;
};

}  // namespace

std::int64_t fewest_steady(const schedule::Schedule& schedule) {
  const std::int64_t stride = schedule.segments().stride;
  WEFT_ASSERT(stride >= 1);
  return kSettling + kLongSpan + 1 + (schedule.stored_steps() + stride - 2) / stride;
}

std::optional<Network> with_rates_of(const Program& program, const Network& network) {
  HostParameters host = network.host();
  if (host.large_copies.bandwidth_Bps == 0 && host.large_reductions.bandwidth_Bps == 0)
    return std::nullopt;
  const std::int64_t buffer_B = host_buffer_of(program, network);
  host.copy_bandwidth_Bps = host.copy_Bps(buffer_B);
  host.reduce_bandwidth_Bps = host.reduce_Bps(buffer_B);
  host.large_copies = host.large_reductions = {};
  return network.with_host(host);
}

SteadyRun steady_time(const Verified& verified, const program::LowerOptions& lowering,
                      const Network& network, const SimulationOptions& options, std::int64_t few) {
  const std::int64_t segments = verified.schedule().segments().count;
  if (few >= segments || few < fewest_steady(verified.schedule()) ||
      !covers(Shortcut::steady, options, network))
    return {};
  check_options(options);
  const Program whole = lower(verified, lowering);
  const std::optional<Network> with_rates = with_rates_of(whole, network);
  SimulationOptions of_few = options;
  if (with_rates) of_few.recall = nullptr;  // which is of the other network
  StepEnds ends;
  const Verified run = verified.with_segments(few);
  program::LowerOptions shorter = lowering;
  WEFT_ASSERT(lowering.element_B >= 1);
  const std::int64_t elements = mul_div(lowering.size_B / lowering.element_B, few, segments);
  shorter.size_B = elements * lowering.element_B;
  const SimulationResult result = simulate_fluid(
      lower(run, shorter), with_rates ? *with_rates : network, of_few, {.ends = &ends});
  const schedule::Segments of_run = run.schedule().segments();
  if (result.ended_early || ends.steps() <= (few - 1) * of_run.stride) return {{}, result.work};
  const Pipeline pipeline(ends, of_run);
  const auto more = static_cast<double>(segments - few);
  const double longer_s = pipeline.longer_s(more, kSpan);
  if (longer_s <= 0) return {{}, result.work};  // nobody was seen to go on
  const double other_s = pipeline.longer_s(more, kLongSpan);
  const double once_s = call_s(whole, network);
  return {SteadyTime{result.time_s + longer_s + once_s, std::abs(longer_s - other_s)}, result.work};
}

}  // namespace weft::simulation
