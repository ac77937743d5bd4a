// Who would win if messages cost a start-up.
//
// With T the time without start-ups, a schedule takes at least T, and at least the start-ups of the
// agent that sends most; at most about T and, step after step, the start-ups of the agent that
// sends most in it. Most schedules cannot win between these bounds and are not simulated again: at
// large sizes none is, at small ones the few of least start-ups. That start-ups make no schedule
// faster, and delay a step by no more than they take, is exact where links are not shared; where
// they are, spreading messages out may change rates by some percent, so that a winner which leads
// by less than that may be missed here. What is named has been simulated.
//
// Very many messages that start in turn meet on links in no order, and to simulate them takes
// minutes where the comparison itself took seconds. For them the lower bound stands: against it
// others win or nobody is named.
#include "weft/question/comparison/check_startup.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/parallel.hpp"
#include "weft/base/units.hpp"
#include "weft/question/comparison/reigns.hpp"
#include "weft/schedule/serial_startups.hpp"

namespace weft::question {

namespace {

// Each size may take this part of a comparison's budget, divided by the sizes.
constexpr std::int64_t kParts = 4;
// So many messages of a step in turn.
constexpr std::int64_t kMostInTurn = 20'000;

bool starts_too_many_in_turn(const Schedule& schedule, StartupPer per) {
  if (per == StartupPer::step ||
      schedule::most_at_once(schedule, schedule::MessageEnd::sender) <= 1)
    return false;
  std::int64_t most = 0;
  for (std::int64_t step = 0; step < schedule.stored_steps(); ++step)
    most = std::max(most, std::ssize(schedule.messages(step)));
  return most * schedule.symmetry().order() > kMostInTurn;
}

// A candidate whose segments suit the start-up.
struct Started {
  const Candidate& without;  // start-ups
  Candidate candidate;
  std::vector<schedule::SerialStartups> startups;  // by variant
  bool is_bounded_only = false;

  Started(const Candidate& from, const HostParameters& host) : without(from), candidate(from) {
    for (Variant& variant : candidate.variants)
      variant.chooser = variant.chooser.with_startups(host);
    std::vector<const Verified*> schedules{&candidate.verified};
    if (!candidate.variants.empty()) schedules.clear();
    for (const Variant& variant : candidate.variants) schedules.push_back(&variant.verified);
    for (const Verified* verified : schedules) {
      const Schedule& schedule = verified->schedule();
      startups.push_back(
          schedule::serial_startups(schedule, schedule::MessageEnd::sender, host.startup_per));
      is_bounded_only = is_bounded_only || starts_too_many_in_turn(schedule, host.startup_per);
    }
  }

  std::int64_t least_startups() const {
    return std::ranges::min_element(startups, {}, &schedule::SerialStartups::busiest)->busiest;
  }
  /// Of what was run without start-ups.
  std::int64_t startups_of(const ComparisonRow& row) const {
    const std::size_t variant = without.sized ? 0 : without.choose(row.size_B).variant;
    return startups[variant].of(row.segments);
  }

  simulation::SimulationResult run(std::int64_t size_B, const Network& network,
                                   const simulation::SimulationOptions& options) const {
    const Verified verified = candidate.for_size(size_B);
    const auto copies = candidate.copies_of(verified);
    return simulate(lower(verified, {.size_B = size_B, .copies = copies}), network, options);
  }
};

class Check {
 public:
  Check(std::span<const Candidate> candidates, std::span<const ComparisonRow> rows,
        const Network& network, const CompareOptions& options)
      : rows_(rows),
        network_(network),
        options_(options),
        startup_s_(static_cast<double>(network.host().startup_ps) * kSecondsPerPicosecond) {
    for (const Candidate& candidate : candidates) started_.emplace_back(candidate, network.host());
  }

  /// The winners at a size where none of them wins without start-ups; else nothing.
  std::vector<std::size_t> new_winners(std::size_t size) const {
    const double enough_s = least_upper_s(size);
    std::vector<std::size_t> contenders;
    for (std::size_t c = 0; c < started_.size(); ++c)
      if (lower_s(c, size) <= enough_s * (1 + kTie)) contenders.push_back(c);
    const auto wins_already = [&](std::size_t c) { return row(c, size).best; };
    if (std::ranges::all_of(contenders, wins_already)) return {};
    std::vector<std::size_t> winners = fastest(std::move(contenders), size);
    if (std::ranges::any_of(winners, wins_already)) return {};
    return winners;
  }

 private:
  const ComparisonRow& row(std::size_t contender, std::size_t size) const {
    return rows_[contender * options_.sizes_B.size() + size];
  }
  double lower_s(std::size_t c, std::size_t size) const {
    return std::max(row(c, size).result.time_s,
                    static_cast<double>(started_[c].least_startups()) * startup_s_);
  }
  double least_upper_s(std::size_t size) const {
    double least_s = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < started_.size(); ++c) {
      if (row(c, size).is_bound) continue;
      const std::int64_t startups = started_[c].startups_of(row(c, size));
      least_s = std::min(least_s,
                         row(c, size).result.time_s + static_cast<double>(startups) * startup_s_);
    }
    return least_s;
  }

  // None where one that may win takes too long to simulate.
  std::vector<std::size_t> fastest(std::vector<std::size_t> contenders, std::size_t size) const {
    std::ranges::stable_sort(contenders, {}, [&](std::size_t c) {
      return std::pair(started_[c].is_bounded_only, lower_s(c, size));
    });
    double least_s = std::numeric_limits<double>::infinity();
    std::vector<double> times_s(started_.size(), least_s);
    simulation::SimulationOptions options = options_.simulation;
    options.most_work = options_.effort == Effort::full
                            ? options.most_work
                            : options_.most_work / (kParts * std::ssize(options_.sizes_B));
    for (const std::size_t c : contenders) {
      if (lower_s(c, size) > least_s * (1 + kTie)) continue;
      if (started_[c].is_bounded_only) return {};
      options.limit_s = least_s * (1 + kTie);
      const auto result = started_[c].run(options_.sizes_B[size], network_, options);
      if (result.ended_early && result.time_s <= options.limit_s) return {};
      options.most_work -= std::min(options.most_work, result.work);
      if (result.ended_early) continue;  // too slow
      times_s[c] = result.time_s;
      least_s = std::min(least_s, times_s[c]);
    }
    std::vector<std::size_t> winners;
    for (std::size_t c = 0; c < times_s.size(); ++c)
      if (times_s[c] <= least_s * (1 + kTie)) winners.push_back(c);
    return winners;
  }

  std::span<const ComparisonRow> rows_;
  const Network& network_;
  const CompareOptions& options_;
  double startup_s_;
  std::vector<Started> started_;
};

}  // namespace

StartupCheck check_startup(std::span<const Candidate> candidates,
                           std::span<const ComparisonRow> rows, const Network& network,
                           const CompareOptions& options, std::int64_t startup_ps,
                           Progress& progress) {
  HostParameters host = network.host();
  host.startup_ps = startup_ps;
  const Network started = network.with_host(host);
  const Check check(candidates, rows, started, options);
  const auto sizes = std::ssize(options.sizes_B);
  std::vector<std::vector<std::size_t>> winners(options.sizes_B.size());
  parallel_for(sizes, [&](std::int64_t i) {
    const auto size = static_cast<std::size_t>(sizes - 1 - i);  // the long ones first
    winners[size] = check.new_winners(size);
    progress.advance();
  });
  return {startup_ps, reigns_of(options.sizes_B, winners)};
}

}  // namespace weft::question
