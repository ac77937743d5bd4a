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
#include "weft/advise/comparison/check_startup.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "weft/advise/comparison/winner_ranges.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/schedule/serial_startups.hpp"
#include "weft/simulation/recall.hpp"

namespace weft::advise {

namespace {

// The check may use 1 / kParts of the budget, or 1 / kPartsOfMany if ranks are many.
constexpr std::int64_t kParts = 2, kPartsOfMany = 32;
// Others are named where no winner without start-ups is within this part of them. This is not the
// tie of a contest: a check of an assumption tells only what a user would notice.
constexpr double kNoticed = 0.02;
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
  std::shared_ptr<simulation::Recall> recall;
  bool is_bounded_only = false;

  Started(const Candidate& from, const Network& network)
      : without(from), candidate(from), recall(std::make_shared<simulation::Recall>(network)) {
    const HostParameters& host = network.host();
    candidate.settled.clear();  // choices that were found without start-ups
    for (evaluate::Variant& variant : candidate.variants)
      variant.chooser = variant.chooser.with_startups(host);
    std::vector<const Verified*> schedules{&candidate.verified};
    if (!candidate.variants.empty()) schedules.clear();
    for (const evaluate::Variant& variant : candidate.variants)
      schedules.push_back(&variant.verified);
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
                                   simulation::SimulationOptions options) const {
    options.recall = recall;
    const Verified verified = candidate.for_size(size_B);
    return simulate(candidate.program_of(verified, size_B), network, options);
  }
};

class Check {
 public:
  Check(std::span<const Candidate> candidates, std::span<const ComparisonRow> rows,
        const Network& network, const CompareOptions& options)
      : rows_(rows),
        network_(network),
        options_(options),
        startup_s_(static_cast<double>(network.host().send_ps()) * kSecondsPerPicosecond),
        left_work_(options.effort == Effort::full
                       ? options.simulation.most_work
                       : options.most_work / (network.ranks() > evaluate::kMostRanksOfHalfBudget
                                                  ? kPartsOfMany
                                                  : kParts)) {
    for (const Candidate& candidate : candidates) started_.emplace_back(candidate, network);
  }

  bool complete() const { return complete_; }

  /// The winners at a size where each that wins without start-ups takes 2 % longer; else nothing.
  /// So from when on the time limit is over.
  std::vector<std::size_t> new_winners(std::size_t size) try {
    const double enough_s = least_upper_s(size);
    std::vector<std::size_t> contenders;
    for (std::size_t c = 0; c < started_.size(); ++c)
      if (lower_s(c, size) <= enough_s * (1 + tolerance(c, size))) contenders.push_back(c);
    const auto wins_already = [&](std::size_t c) { return this->wins_already(c, size); };
    if (std::ranges::all_of(contenders, wins_already)) return {};
    std::vector<std::size_t> winners = fastest(std::move(contenders), size);
    if (std::ranges::any_of(winners, wins_already)) return {};
    return winners;
  } catch (const OutOfTime&) {
    complete_ = false;
    return {};
  }

 private:
  const ComparisonRow& row(std::size_t contender, std::size_t size) const {
    return rows_[contender * options_.sizes_B.size() + size];
  }
  double best_s(std::size_t size) const {
    double best_s = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < started_.size(); ++c)
      if (row(c, size).best) best_s = row(c, size).result.time_s;
    return best_s;
  }
  bool wins_already(std::size_t c, std::size_t size) const {
    return !row(c, size).is_bound && evaluate::ties(row(c, size).result.time_s, best_s(size));
  }
  double tolerance(std::size_t c, std::size_t size) const {
    return wins_already(c, size) ? kNoticed : kTie;
  }
  double lower_s(std::size_t c, std::size_t size) const {
    return std::max(row(c, size).result.lower_s(),
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

  // Those within their tolerance; none where one that may win takes too long to simulate.
  std::vector<std::size_t> fastest(std::vector<std::size_t> contenders, std::size_t size) {
    std::ranges::stable_sort(contenders, {}, [&](std::size_t c) {
      return std::pair(started_[c].is_bounded_only, lower_s(c, size));
    });
    double least_s = std::numeric_limits<double>::infinity();
    std::vector<double> times_s(started_.size(), least_s);
    simulation::SimulationOptions options = options_.simulation;
    for (const std::size_t c : contenders) {
      const double enough_s = least_s * (1 + tolerance(c, size));
      if (lower_s(c, size) > enough_s) continue;
      if (started_[c].is_bounded_only) return {};
      options.limit_s = enough_s;
      options.most_work = left_work_;
      const auto result = started_[c].run(options_.sizes_B[size], network_, options);
      left_work_ -= std::min(left_work_, result.work);
      if (result.ended_early && result.time_s <= options.limit_s) {
        complete_ = false;
        return {};
      }
      if (result.ended_early) continue;  // too slow
      times_s[c] = result.time_s;
      least_s = std::min(least_s, times_s[c]);
    }
    std::vector<std::size_t> winners;
    for (std::size_t c = 0; c < times_s.size(); ++c)
      if (times_s[c] <= least_s * (1 + tolerance(c, size))) winners.push_back(c);
    return winners;
  }

  std::span<const ComparisonRow> rows_;
  const Network& network_;
  const CompareOptions& options_;
  double startup_s_;
  std::int64_t left_work_;
  bool complete_ = true;
  std::vector<Started> started_;
};

std::vector<std::size_t> by_size(std::span<const std::int64_t> sizes_B) {
  std::vector<std::size_t> order(sizes_B.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t size) { return sizes_B[size]; });
  return order;
}

}  // namespace

StartupCheck check_startup(std::span<const Candidate> candidates,
                           std::span<const ComparisonRow> rows, const Network& network,
                           const CompareOptions& options, std::int64_t startup_ps,
                           evaluate::ComparisonProgress& progress) {
  HostParameters host = network.host();
  host.startup_ps = startup_ps;
  const Network started = network.with_host(host);
  Check check(candidates, rows, started, options);
  std::vector<std::vector<std::size_t>> winners(options.sizes_B.size());
  for (const std::size_t size : by_size(options.sizes_B)) {  // small ones, which change, first
    const auto shown = progress.doing("checking a start-up", {}, options.sizes_B[size]);
    winners[size] = check.new_winners(size);
  }
  return {startup_ps, winner_ranges_of(options.sizes_B, winners), check.complete()};
}

}  // namespace weft::advise
