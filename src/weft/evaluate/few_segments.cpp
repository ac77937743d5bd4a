#include "weft/evaluate/few_segments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::evaluate {

namespace {

// What a few segments tell may be off by this much of the time.
constexpr double kTrusted = kMovedSize / 2;
// From which on a byte more in some messages, with what follows, hardly matters to the whole.
constexpr std::int64_t kManySegments = 16;
// Of these a first few say whether the others are worth it.
constexpr std::int64_t kTried = 4;

// Units that all pieces begin and end at multiples of.
std::int64_t grain(const schedule::Schedule& schedule) {
  std::int64_t grain =
      schedule.symmetry().is_trivial() ? schedule.units() : schedule.units_per_block();
  for (std::int64_t message = 0; message < schedule.stored_messages() && grain > 1; ++message)
    for (const schedule::Piece& piece : schedule.pieces(message))
      grain = std::gcd(grain, std::gcd(piece.first, piece.count));
  WEFT_ASSERT(grain >= 1);
  return grain;
}

}  // namespace

EvenSteps even_steps(const schedule::Schedule& schedule) {
  const std::int64_t units =
      schedule.collective().size_is_block() ? schedule.units_per_block() : schedule.units();
  const std::int64_t segments = schedule.segments().count;
  return {checked_mul(units / std::gcd(units, grain(schedule)), segments), segments};
}

std::int64_t nearest_multiple(std::int64_t size_B, std::int64_t step_B) {
  WEFT_ASSERT(size_B >= 0 && step_B >= 1);
  return std::max<std::int64_t>(1, (size_B + step_B / 2) / step_B) * step_B;
}

std::int64_t nearest_even_B(const schedule::Schedule& schedule, std::int64_t size_B) {
  if (schedule.segments().count < kManySegments) return size_B;
  const EvenSteps steps = even_steps(schedule);
  for (const std::int64_t step_B : {steps.whole_B, steps.segments_B}) {
    const std::int64_t even_B = nearest_multiple(size_B, step_B);
    if (std::abs(static_cast<double>(even_B - size_B)) <= static_cast<double>(size_B) * kMovedSize)
      return even_B;
  }
  return size_B;
}

SegmentedRun::SegmentedRun(const ContestRun& run, const Network& network,
                           const simulation::SimulationOptions& options)
    : run_(run), network_(network), options_(options) {
  const bool may_move = covers(simulation::Shortcut::whole_segments, options, network);
  lowering_.size_B = may_move ? nearest_even_B(run.verified.schedule(), run.size_B) : run.size_B;
  lowering_.copies = run.copies;
}

bool SegmentedRun::has_many() const {
  return run_.verified.schedule().segments().count >= kManySegments;
}

simulation::SimulationResult SegmentedRun::first() const {
  WEFT_ASSERT(has_many());
  program::LowerOptions tried = lowering_;
  tried.size_B = mul_div(lowering_.size_B, kTried, run_.verified.schedule().segments().count);
  const auto with_rates = simulation::with_rates_of(lower(run_.verified, lowering_), network_);
  simulation::SimulationOptions options = options_;
  if (with_rates) options.recall = nullptr;  // which is of the other network
  return simulation::simulate(lower(run_.verified.with_segments(kTried), tried),
                              with_rates ? *with_rates : network_, options);
}

simulation::SteadyRun SegmentedRun::by_few() const {
  const schedule::Schedule& schedule = run_.verified.schedule();
  const std::int64_t segments = schedule.segments().count;
  std::int64_t work = 0;
  simulation::SimulationOptions options = options_;
  // With two thirds of the segments nothing would be spared if these do not tell.
  for (std::int64_t few = simulation::fewest_steady(schedule); few * 3 <= segments * 2; few *= 2) {
    options.most_work = options_.most_work - work;
    if (options.most_work <= 0) break;
    const auto seen = simulation::steady_time(run_.verified, lowering_, network_, options, few);
    work += seen.work;
    if (!seen.time) break;
    if (seen.time->spread_s <= seen.time->time_s * kTrusted && seen.time->time_s >= run_.busy_s)
      return {simulation::SteadyTime{seen.time->time_s * moved(), seen.time->spread_s}, work};
  }
  return {{}, work};
}

simulation::SimulationResult SegmentedRun::whole() const {
  auto result = simulation::simulate(lower(run_.verified, lowering_), network_, options_);
  if (!result.ended_early) result.time_s *= moved();
  return result;
}

// Bytes take between none and all of the time: the half is off by half of kMovedSize at most.
double SegmentedRun::moved() const {
  return std::sqrt(static_cast<double>(run_.size_B) / static_cast<double>(lowering_.size_B));
}

}  // namespace weft::evaluate
