// Where one schedule takes over from another lies between two sizes that were compared. As a time
// grows in nearly straight lines with the size, so does the difference of two, and the point where
// a line through what is known of it crosses zero is nearly right: a little above and a little
// below it are tried, which leaves an interval short enough. Where the line is off, halves follow.
// Sizes that are tried are even ones of both schedules where these lie close, since messages that
// have a byte more than others cost a simulation more than all else.
//
// Two numbers of segments of one schedule differ by little, and take long to simulate. A number s
// is chosen as the least of a + b s + c M / s, at b s^2 = c M, and so is as fast as another, t, at
// b s t = c M: at t / s times the size that s is best for. The last size compared stands for that
// one, and so it is asked only where the next is no more than twice as long.
#include "schedule_spans.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

#include "plan_times.hpp"
#include "weft/advise/plan/plan_choice.hpp"
#include "weft/base/parallel.hpp"

namespace weft::advise {

namespace {

constexpr std::int64_t kPrecision = 256;  // of crossovers: one part of the size

bool runs_on(const ScheduleSpan& turn, const Winner& winner, const schedule::Verified* verified) {
  if (turn.timed == nullptr || verified == nullptr)
    return turn.timed == nullptr && verified == nullptr;
  return turn.winner.candidate == winner.candidate &&
         turn.timed->verified().schedule() == verified->schedule();
}

class Crossover {
 public:
  Crossover(const ScheduleSpan& before, const ScheduleSpan& after, const MeasuredTable* native)
      : before_(before),
        after_(after),
        native_(native),
        low_B_(before.last_compared_B),
        high_B_(after.winner.size_B),
        before_steps_(steps_of(before)),
        after_steps_(steps_of(after)) {}

  /// The least size from which on the later one is not slower, as far as was looked.
  std::int64_t find() {
    constexpr int kMostAlongLines = 4;
    if (is_found()) return high_B_;
    double low_s = nearly_s(after_, after_steps_, low_B_) - before_.last_s;
    double high_s = after_.winner.time_s - nearly_s(before_, before_steps_, high_B_);
    for (int tried = 0; !is_found(); ++tried) {
      const bool along_line = low_s > 0 && high_s <= 0 && tried < kMostAlongLines;
      const std::int64_t size_B =
          even_near(along_line ? near_zero(low_s, high_s, tried % 2 == 0) : middle());
      const double s = lag_s(size_B);
      if (s <= 0) {
        high_B_ = size_B;
        high_s = s;
      } else {
        low_B_ = size_B;
        low_s = s;
      }
    }
    return high_B_;
  }

 private:
  bool is_found() const {
    return high_B_ - low_B_ <= std::max<std::int64_t>(1, low_B_ / kPrecision);
  }
  std::int64_t middle() const { return low_B_ + (high_B_ - low_B_) / 2; }
  // A third of what is asked for above or below the zero of the line.
  std::int64_t near_zero(double low_s, double high_s, bool above) const {
    const auto length_B = static_cast<double>(high_B_ - low_B_);
    const auto zero_B = low_B_ + static_cast<std::int64_t>(length_B * low_s / (low_s - high_s));
    const std::int64_t aside_B = std::max<std::int64_t>(1, zero_B / kPrecision / 3);
    return std::clamp(above ? zero_B + aside_B : zero_B - aside_B, low_B_ + 1, high_B_ - 1);
  }
  static EvenSteps steps_of(const ScheduleSpan& turn) {
    return turn.timed != nullptr ? even_steps(turn.timed->verified().schedule()) : EvenSteps{};
  }
  // Of both, or more than any size is rounded to.
  static std::int64_t common(std::int64_t one_B, std::int64_t other_B) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 31;
    return std::max(one_B, other_B) < kLargest ? std::lcm(one_B, other_B) : kLargest;
  }
  // Within a sixth of what is asked for, and between the bounds; else the same.
  std::int64_t even_near(std::int64_t size_B) const {
    for (const std::int64_t step_B : {common(before_steps_.whole_B, after_steps_.whole_B),
                                      common(before_steps_.segments_B, after_steps_.segments_B)}) {
      const std::int64_t even_B = nearest_multiple(size_B, step_B);
      if (std::abs(even_B - size_B) <= size_B / kPrecision / 6 && even_B > low_B_ &&
          even_B < high_B_)
        return even_B;
    }
    return size_B;
  }
  double time_s(const ScheduleSpan& turn, std::int64_t size_B) const {
    return turn.timed != nullptr ? turn.timed->time_s(size_B) : measured_s(*native_, size_B);
  }
  // To guess by: of an even size next to it.
  double nearly_s(const ScheduleSpan& turn, const EvenSteps& steps, std::int64_t size_B) const {
    for (const std::int64_t step_B : {steps.whole_B, steps.segments_B}) {
      const std::int64_t even_B = nearest_multiple(size_B, step_B);
      if (std::abs(even_B - size_B) <= size_B / kPrecision) return time_s(turn, even_B);
    }
    return time_s(turn, size_B);
  }
  // By which the later one is slower.
  double lag_s(std::int64_t size_B) const {
    return time_s(after_, size_B) - time_s(before_, size_B);
  }

  const ScheduleSpan& before_;
  const ScheduleSpan& after_;
  const MeasuredTable* native_;
  std::int64_t low_B_, high_B_;
  EvenSteps before_steps_, after_steps_;
};

// Times of a number of segments and of the next one that is chosen then differ by little; those of
// one segment, of two and of three do not.
constexpr std::int64_t kSegmentsToldByFormula = 8;

// Where the one takes over whose segments are others; nothing where more than these differ, or they
// are few.
std::optional<std::int64_t> by_segments(const ScheduleSpan& before, const ScheduleSpan& after) {
  if (before.timed == nullptr || after.timed == nullptr ||
      after.winner.size_B / 2 > before.last_compared_B)
    return std::nullopt;
  const schedule::Schedule &one = before.timed->verified().schedule(),
                           &other = after.timed->verified().schedule();
  if (std::min(one.segments().count, other.segments().count) < kSegmentsToldByFormula ||
      other.with_segments(one.segments()) != one)
    return std::nullopt;
  const double ratio =
      static_cast<double>(other.segments().count) / static_cast<double>(one.segments().count);
  const double size_B = static_cast<double>(before.last_compared_B) * ratio;
  return std::clamp(
      static_cast<std::int64_t>(std::min(size_B, static_cast<double>(after.winner.size_B))),
      before.last_compared_B + 1, after.winner.size_B);
}

}  // namespace

ScheduleClock::ScheduleClock(schedule::Verified verified, const Candidate& candidate,
                             const Network& network, const simulation::SimulationOptions& options)
    : verified_(std::move(verified)),
      copies_(candidate.copies_of(verified_)),
      network_(network),
      options_(options) {
  options_.recall = std::make_shared<simulation::Recall>(network);
}

double ScheduleClock::time_s(std::int64_t size_B) const {
  return time_for_plan({verified_, size_B, copies_}, network_, options_).time_s;
}

std::vector<ScheduleSpan> spans_of(std::span<const Winner> winners, const MeasuredTable* native,
                                   const Network& network,
                                   const simulation::SimulationOptions& options) {
  std::vector<ScheduleSpan> turns;
  for (const Winner& winner : winners) {
    std::optional<schedule::Verified> verified;
    if (winner.candidate != nullptr) verified = winner.candidate->for_size(winner.size_B);
    if (turns.empty() || !runs_on(turns.back(), winner, verified ? &*verified : nullptr)) {
      std::shared_ptr<const ScheduleClock> timed;
      if (verified)
        timed = std::make_shared<ScheduleClock>(*std::move(verified), *winner.candidate, network,
                                                options);
      turns.push_back({winner, winner.size_B, 0, 0, std::move(timed)});
    }
    turns.back().last_compared_B = winner.size_B;
    turns.back().last_s = winner.time_s;
  }
  // Each on its own, so that results do not depend on the number of threads.
  parallel_for(std::ssize(turns) - 1, [&](std::int64_t i) {
    const auto after = static_cast<std::size_t>(i + 1);
    const ScheduleSpan& before = turns[after - 1];
    const auto by_formula = by_segments(before, turns[after]);
    turns[after].first_B =
        by_formula ? *by_formula : Crossover(before, turns[after], native).find();
  });
  return turns;
}

}  // namespace weft::advise
