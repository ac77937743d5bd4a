#include "weft/evaluate/contest/nearby_segments.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/winner.hpp"
#include "weft/network/host_costs.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::evaluate {

namespace {

// From this number on, fewer segments are tried first. They take less work, and the estimate errs
// for many.
constexpr std::int64_t kManySegments = 16;

// The powers of two next to a number of segments; 0 below 1.
std::int64_t power_below(std::int64_t segments) {
  WEFT_ASSERT(segments >= 1);
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(segments) - 1));
}

std::int64_t power_above(std::int64_t segments) {
  WEFT_ASSERT(segments >= 1);
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(segments) + 1));
}

// Goes on to fewer or more for as long as they are faster. Returns the fastest.
std::int64_t walk(std::int64_t segments, const std::function<bool(std::int64_t)>& is_faster_in) {
  const bool fewer_first = segments >= kManySegments;
  const std::int64_t start = segments;
  for (const bool fewer : {fewer_first, !fewer_first}) {
    const auto next = [&] { return fewer ? power_below(segments) : power_above(segments); };
    while (is_faster_in(next())) segments = next();
    if (segments != start) break;
  }
  return segments;
}

// The nearest power of two on the other side of a limit, 0 where there is none: the fewest segments
// with messages below it, or the most with longer ones.
std::int64_t across(std::int64_t limit_B, std::int64_t whole_B, std::int64_t segments) {
  if (limit_B <= 1) return 0;
  const auto below = static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>((whole_B + limit_B - 2) / (limit_B - 1))));
  return segments < below ? below : below / 2;
}

}  // namespace

void search_segments(const SegmentStart& start, std::span<const std::int64_t> limits_B,
                     const std::function<bool(std::int64_t)>& is_faster_in) {
  WEFT_ASSERT(start.segments >= 1 && start.most_B >= 0);
  const std::int64_t whole_B = checked_mul(start.most_B, start.segments);
  std::int64_t best = walk(start.segments, is_faster_in);
  for (const std::int64_t limit_B : limits_B) {
    const std::int64_t next = across(limit_B, whole_B, best);
    const bool is_tried = next == best || next == power_below(best) || next == power_above(best);
    if (!is_tried && is_faster_in(next)) best = walk(next, is_faster_in);
  }
}

namespace {

// The leader's segments get more work where its simulated time differs from the estimate by more
// than this part.
constexpr double kWrong = 0.1;
// A schedule may take as little as this part of its estimate, and of its estimate corrected by what
// is known of its own segments.
constexpr double kLeastOfEstimate = 0.6, kLeastOfCorrected = 0.8;
// Blocks of different sizes may take as little as this part of the time in the schedule's own
// segments.
constexpr double kLeastOfUnequalBlocks = 0.5;
constexpr std::int64_t kMostSegments = 4096;
// Work at a size, and runs as long as the leader's. What is found at one size depends on no other.
constexpr std::int64_t kRuns = 4, kLeastWork = kUsualWork / 200, kMostWorkOfSize = kUsualWork / 100;

constexpr std::int64_t kOfMessage = 64;  // work of a simulation that solves for all messages

std::int64_t stored_messages(const Runner& runner) {
  const schedule::Schedule& schedule = runner.candidate.verified.schedule();
  return schedule.first_message(schedule.stored_steps());
}

// The estimate of the candidate itself that has prices for several segments; null if it has none.
const SegmentChooser* own_chooser(const Candidate& candidate) {
  if (candidate.sized || candidate.variants.empty()) return nullptr;
  WEFT_ASSERT(candidate.variants.size() == 1);  // contest() has each schedule take part by itself
  const SegmentChooser& chooser = candidate.variants.front().chooser;
  return chooser.most_segments() > 1 ? &chooser : nullptr;
}

// The estimate of a runner's schedule in several segments; null if there is none.
const SegmentChooser* chooser_of(const Runner& runner) {
  return runner.unpriced_segments ? &*runner.unpriced_segments : own_chooser(runner.candidate);
}

// The search at one size.
class Search {
 public:
  Search(std::span<Runner> runners, std::size_t leader, std::size_t size, const Network& network,
         const simulation::SimulationOptions& options, const ContestRules& rules, std::mutex& told)
      : runners_(runners),
        leader_(leader),
        size_(size),
        size_B_(runners[leader].rows[size].size_B),
        fastest_s_(runners[leader].least_s(size)),
        network_(network),
        limits_B_(network::message_limits_B(network.host())),
        options_(options),
        rules_(rules),
        told_(told) {}

  /// Spends no more than SimulationOptions::most_work; returns what it spent.
  std::int64_t run() && {
    if (leader_row().is_bound || leader_row().result.least_s > 0) return 0;
    const std::int64_t of_leader = leader_row().result.work;
    allow(is_estimate_wrong() ? kRuns * of_leader : 0, std::max(kMostWorkOfSize, 3 * of_leader));
    search(leader_);
    allow(kRuns / 2 * of_leader, kMostWorkOfSize);
    try_rivals();
    return spent_;
  }

 private:
  struct Rival {
    std::size_t runner = 0;
    double least_s = 0;  // likely
  };

  const ComparisonRow& leader_row() const { return runners_[leader_].rows[size_]; }

  bool is_estimate_wrong() const {
    const SegmentChooser* const chooser = chooser_of(runners_[leader_]);
    const std::int64_t own = leader_row().segments;
    if (chooser == nullptr || own > chooser->most_segments()) return true;
    const double estimate_s = chooser->in_segments(size_B_, own).whole_s();
    return std::abs(estimate_s - fastest_s_) > kWrong * fastest_s_;
  }

  // Allows this much work from here on, at least the least of a size and at most `most`; as often
  // as the rules say.
  void allow(std::int64_t work, std::int64_t most) {
    const std::int64_t allowed = std::clamp(work, kLeastWork, most);
    most_spent_ = std::min(options_.most_work, spent_ + rules_.segment_searches * allowed);
  }

  // Begins at the segments of the runner's row.
  void search(std::size_t index) {
    const Runner& runner = runners_[index];
    if (!runner.candidate.pipelined) return;
    const ComparisonRow& row = runner.rows[size_];
    search_segments({row.segments, row.messages.most_B}, limits_B_,
                    [&](std::int64_t segments) { return is_faster_in(index, segments); });
  }

  // The time that it may reach in the best number of segments. How far the estimate of its own
  // segments was off corrects the others.
  double likely_least_s(const Runner& runner) const {
    const SegmentChooser* const chooser = chooser_of(runner);
    const double own_s = runner.least_s(size_);
    // An estimate takes all blocks to have one size.
    if (chooser == nullptr || runner.candidate.blocks) return kLeastOfUnequalBlocks * own_s;
    const std::int64_t most = std::min(size_B_, chooser->most_segments());
    double least_s = std::numeric_limits<double>::infinity();
    for (std::int64_t segments = 1; segments <= most; segments *= 2)
      least_s = std::min(least_s, chooser->in_segments(size_B_, segments).whole_s());
    const std::int64_t own = runner.rows[size_].segments;
    const double estimate_s = own <= most ? chooser->in_segments(size_B_, own).whole_s() : 0;
    const double corrected = estimate_s > 0 ? own_s / estimate_s : 1;
    // What its own segments take beyond the estimate, others may not: a handshake, or start-ups.
    return least_s * std::clamp(kLeastOfCorrected * corrected, kLeastOfEstimate, 1.0);
  }

  // Whether another of its algorithm's schedules has as much of a chance, as the same trees over
  // other routes may.
  bool is_twin(std::size_t index, std::span<const Rival> rivals) const {
    const Runner& runner = runners_[index];
    return std::ranges::any_of(rivals, [&](const Rival& rival) {
      const Runner& other = runners_[rival.runner];
      return other.contender.algorithm == runner.contender.algorithm &&
             other.expected_s[size_] == runner.expected_s[size_] &&
             other.is_known(size_) == runner.is_known(size_) &&
             ties(other.least_s(size_), runner.least_s(size_));
    });
  }

  // The runners that may become faster than the leader, the most promising first.
  std::vector<Rival> rivals() const {
    std::vector<Rival> found;
    for (std::size_t c = 0; c < runners_.size(); ++c) {
      const Runner& runner = runners_[c];
      if (c == leader_ || !runner.candidate.pipelined || runner.rows[size_].result.least_s > 0 ||
          runner.busy_s[size_] > fastest_s_ || (!runner.candidate.blocks && is_twin(c, found)))
        continue;
      const double least_s = likely_least_s(runner);
      if (least_s < fastest_s_) found.push_back({c, least_s});
    }
    std::ranges::stable_sort(found, {}, &Rival::least_s);
    return found;
  }

  // The numbers of segments to try for a runner of whose own segments only a bound is known, the
  // most promising first.
  std::vector<std::int64_t> promising_segments(const Runner& runner) const {
    constexpr std::size_t kTried = 4, kTriedOfUnlike = 7;
    const SegmentChooser* const chooser = chooser_of(runner);
    const std::int64_t own = runner.rows[size_].segments;
    const std::int64_t above = power_above(own);
    if (chooser == nullptr) return {above, power_below(own), power_above(above)};
    std::vector<std::pair<double, std::int64_t>> found;
    const std::int64_t most = std::min(size_B_, chooser->most_segments());
    for (std::int64_t segments = 1; segments <= most; segments *= 2)
      if (segments != own)
        found.emplace_back(chooser->in_segments(size_B_, segments).whole_s(), segments);
    std::ranges::sort(found);
    found.resize(std::min(found.size(), runner.candidate.blocks ? kTriedOfUnlike : kTried));
    std::vector<std::int64_t> promising;
    for (const auto& [estimate_s, segments] : found) promising.push_back(segments);
    return promising;
  }

  void try_rivals() {
    for (const auto& [index, least_s] : rivals()) {
      if (least_s >= fastest_s_) break;
      const Runner& runner = runners_[index];
      const bool is_followed =
          runner.is_known(size_) ||
          std::ranges::any_of(promising_segments(runner), [&, c = index](std::int64_t segments) {
            return is_faster_in(c, segments);
          });
      if (is_followed) search(index);
    }
  }

  // Simulates the runner's schedule in this number of segments and puts it into the runner's row if
  // it is faster than this, or than the leader's where nothing is known of it, by more than a tie.
  // Returns whether it is.
  bool is_faster_in(std::size_t index, std::int64_t segments) {
    if (segments < 1 || segments > std::min(size_B_, kMostSegments)) return false;
    Runner& runner = runners_[index];
    if (stored_messages(runner) * segments > (most_spent_ - spent_) / kOfMessage) return false;
    TimeLimit::check();
    const Stopwatch watch;
    const Candidate& candidate = runner.candidate;
    ContestRun run = runner.run_at(size_);
    run.verified = run.verified.with_segments(segments);
    run.copies = candidate.copies_of(run.verified);
    simulation::SimulationOptions limited = options_;
    limited.recall = runner.recall;
    limited.limit_s = runner.is_known(size_) ? runner.least_s(size_) : fastest_s_;
    limited.most_work = most_spent_ - spent_;
    simulation::SimulationResult result =
        rules_.time_of_segments && segments > 1
            ? rules_.time_of_segments(run, limited)
            : simulation::simulate(candidate.program_of(run.verified, run.size_B, run.copies),
                                   network_, limited);
    spent_ += result.work;
    const std::scoped_lock lock(told_);
    runner.spend(result.work, watch.seconds());
    if (result.ended_early || ties(limited.limit_s, result.time_s)) return false;
    fastest_s_ = std::min(fastest_s_, result.time_s);
    const schedule::Schedule& schedule = run.verified.schedule();
    ComparisonRow& row = runner.rows[size_];
    row.segments = segments;
    row.steps = schedule.steps();
    row.messages =
        candidate.messages_of(run.verified, schedule::message_units(schedule), run.size_B);
    if (result.least_s == 0)
      result.least_s = candidate.least_s(schedule, run.size_B, result.time_s);
    runner.know(size_, std::move(result));
    return true;
  }

  std::span<Runner> runners_;
  std::size_t leader_, size_;
  std::int64_t size_B_;
  double fastest_s_;  // so far
  const Network& network_;
  std::vector<std::int64_t> limits_B_;
  const simulation::SimulationOptions& options_;
  const ContestRules& rules_;
  std::mutex& told_;
  std::int64_t spent_ = 0, most_spent_ = 0;
};

// Gives an estimate in a few segments to runners without one, where that is quick.
void price_few_segments(std::span<Runner> runners, const Network& network) {
  constexpr std::int64_t kFewSegments = 64;
  parallel_for(std::ssize(runners), [&](std::int64_t i) {
    isolated([&] {
      Runner& runner = runners[static_cast<std::size_t>(i)];
      const Candidate& candidate = runner.candidate;
      const bool is_unpriced =
          candidate.pipelined && !candidate.sized && own_chooser(candidate) == nullptr;
      if (!is_unpriced || stored_messages(runner) > kLeastWork / kOfMessage) return;
      try {
        runner.unpriced_segments.emplace(candidate.verified, network, kFewSegments);
      } catch (const std::overflow_error&) {
        // A price beyond 128 bits: the runner stays without an estimate.
      }
    });
  });
}

}  // namespace

void try_nearby_segments(std::span<Runner> runners, std::span<const std::size_t> leaders,
                         const Network& network, const simulation::SimulationOptions& options,
                         const ContestRules& rules, Budget& budget) {
  if (options.model != simulation::Model::fluid || leaders.empty() ||
      covers(simulation::Shortcut::segment_formula, simulation::features_of(network.host())))
    return;
  price_few_segments(runners, network);
  simulation::SimulationOptions limited = options;
  if (!rules.each_size_alone) limited.most_work = budget.left() / std::ssize(leaders);
  std::atomic<std::int64_t> spent = 0;
  std::mutex told;
  parallel_for(std::ssize(leaders), [&](std::int64_t s) {
    isolated([&] {
      const auto size = static_cast<std::size_t>(s);
      WEFT_ASSERT(leaders[size] <= runners.size());
      if (leaders[size] < runners.size())
        spent += Search(runners, leaders[size], size, network, limited, rules, told).run();
    });
  });
  budget.spend(spent);
}

}  // namespace weft::evaluate
