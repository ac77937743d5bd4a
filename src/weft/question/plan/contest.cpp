#include "contest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "lone_ranks.hpp"
#include "weft/base/parallel.hpp"
#include "weft/question/comparison/compare_rows.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::question {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
constexpr int kRounds = 2;  // in which the most promising of each size is simulated

// What a schedule promises before it is simulated. Of one whose exact price does not fit in 128
// bits nothing is known, so that it may win until it is simulated.
class Outlook {
 public:
  /// `chooser`: of its segments; nothing where it is taken as it is.
  Outlook(const Verified& verified, std::optional<SegmentChooser> chooser, const Network& network)
      : units_(static_cast<double>(verified.schedule().units())),
        segments_(verified.schedule().segments().count),
        collective_(verified.schedule().collective()),
        chooser_(std::move(chooser)) {
    try {
      if (!chooser_) chooser_ = SegmentChooser::as_it_is(verified, network);
      const Cost cost = schedule::cost(verified, network);
      for (const LinkId link : network.topology().links())
        busiest_s_per_B_ = std::max(busiest_s_per_B_,
                                    cost.link_loads[link.index()].to_double() /
                                        static_cast<double>(network.fabric().bandwidth_Bps(link)));
    } catch (const std::overflow_error&) {
      busiest_s_per_B_ = 0;
    }
  }

  double expected_s(std::int64_t size_B) const {
    return chooser_ ? chooser_->choose(size_B).time_s : 0;
  }
  /// Of its busiest link. A unit of a segment has a byte less than its share at most.
  double least_s(std::int64_t size_B) const {
    const auto bytes = static_cast<double>(collective_.total_bytes(size_B));
    const double units =
        units_ * static_cast<double>(chooser_ ? chooser_->best(size_B) : segments_);
    const double whole = bytes > units ? 1 - units / bytes : 0;
    return whole * busiest_s_per_B_ * bytes_of_m(collective_, size_B);
  }

 private:
  double units_;
  std::int64_t segments_;
  double busiest_s_per_B_ = 0;  // of M
  Collective collective_;
  std::optional<SegmentChooser> chooser_;
};

// A candidate on its way through the contest; numbers by size.
struct Runner {
  const Candidate& candidate;
  std::shared_ptr<simulation::Recall> recall;
  std::vector<std::size_t> variants = {};
  std::vector<std::int64_t> segments = {};
  std::vector<double> expected_s = {}, busy_s = {}, least_s = {}, times_s = {};

  Runner(const Candidate& from, std::span<const std::int64_t> sizes_B, const Network& network)
      : candidate(from),
        recall(std::make_shared<simulation::Recall>(network)),
        times_s(sizes_B.size(), kUnknown),
        seen_alone_(sizes_B.size(), false) {
    std::vector<Outlook> outlooks;
    for (const Variant& variant : candidate.variants)
      outlooks.emplace_back(variant.verified, variant.chooser, network);
    if (outlooks.empty() && !candidate.sized)
      outlooks.emplace_back(candidate.verified, std::nullopt, network);
    for (const std::int64_t size_B : sizes_B) {
      const Candidate::Choice choice =
          candidate.sized ? Candidate::Choice{} : candidate.choose(size_B);
      variants.push_back(choice.variant);
      segments.push_back(choice.segments);
      const Outlook at_size = candidate.sized
                                  ? Outlook(candidate.for_size(size_B), std::nullopt, network)
                                  : outlooks[variants.back()];
      expected_s.push_back(at_size.expected_s(size_B));
      busy_s.push_back(at_size.least_s(size_B));
    }
    least_s = busy_s;
  }

  bool is_known(std::size_t size) const { return times_s[size] != kUnknown; }

  /// No less than at the least size, of the same schedule; in few segments, as times are exact.
  void heed_least_size(double time_s) {
    if (candidate.sized || segments[0] > 1) return;
    for (std::size_t s = 0; s < least_s.size(); ++s)
      if (variants[s] == variants[0]) least_s[s] = std::max(least_s[s], time_s);
  }
  /// Nor than where its ranks have all links for themselves.
  void heed_lone_ranks(std::size_t size, std::int64_t size_B, const Network& network) {
    if (seen_alone_[size]) return;
    seen_alone_[size] = true;
    const Verified verified = candidate.for_size(size_B);
    const double alone_s = lone_ranks_s(
        lower(verified, {.size_B = size_B, .copies = candidate.copies_of(verified)}), network);
    least_s[size] = std::max(least_s[size], alone_s);
    if (size == 0) heed_least_size(alone_s);
  }

 private:
  std::vector<bool> seen_alone_;
};

class Contest {
 public:
  Contest(std::span<const Candidate> candidates, std::span<const std::int64_t> sizes_B,
          const Network& network, const simulation::SimulationOptions& options)
      : sizes_B_(sizes_B),
        network_(network),
        options_(options),
        enough_s_(sizes_B.size(), kUnknown) {
    std::vector<std::optional<Runner>> made(candidates.size());
    parallel_for(std::ssize(candidates), [&](std::int64_t c) {
      isolated([&] { made[c].emplace(candidates[c], sizes_B, network); });
    });
    for (std::optional<Runner>& runner : made) runners_.push_back(*std::move(runner));
  }

  std::vector<std::vector<double>> run() && {
    const bool is_bounded = !by_packets(options_.model) && options_.factors == nullptr &&
                            !network_.routing().sees_whole_step();
    if (is_bounded) {
      for (int round = 0; round < kRounds; ++round) {
        simulate([&](std::size_t c, std::size_t s) { return is_most_promising(c, s); });
        exclude();
      }
    } else {
      for (Runner& runner : runners_) std::ranges::fill(runner.least_s, 0);
    }
    simulate([&](std::size_t c, std::size_t s) { return may_win(c, s); });
    std::vector<std::vector<double>> times_s;
    for (Runner& runner : runners_) times_s.push_back(std::move(runner.times_s));
    return times_s;
  }

 private:
  // Finds the fastest of each size, and bounds of those that could still be faster.
  void exclude() {
    for (std::size_t s = 0; s < sizes_B_.size(); ++s) {
      enough_s_[s] = kUnknown;
      for (const Runner& runner : runners_)
        enough_s_[s] = std::min(enough_s_[s], runner.times_s[s]);
    }
    const bool alone = bounded_by_lone_ranks(options_);
    parallel_for(std::ssize(runners_), [&](std::int64_t i) {
      isolated([&] {
        Runner& runner = runners_[i];
        const auto c = static_cast<std::size_t>(i);
        if (runner.is_known(0)) runner.heed_least_size(runner.times_s[0]);
        for (std::size_t s = 0; s < sizes_B_.size(); ++s)
          if (alone && may_win(c, s)) runner.heed_lone_ranks(s, sizes_B_[s], network_);
      });
    });
  }

  bool may_win(std::size_t c, std::size_t size) const {
    return !runners_[c].is_known(size) &&
           runners_[c].least_s[size] < enough_s_[size] * (1 - kPlanTie);
  }

  bool is_most_promising(std::size_t c, std::size_t size) const {
    if (!may_win(c, size)) return false;
    const double own_s = runners_[c].expected_s[size];
    for (std::size_t other = 0; other < runners_.size(); ++other) {
      const double other_s = runners_[other].expected_s[size];
      if ((other_s < own_s || (other_s == own_s && other < c)) && may_win(other, size))
        return false;
    }
    return true;
  }

  template <typename Wanted>
  void simulate(const Wanted& wanted) {
    std::vector<std::vector<std::size_t>> places(runners_.size());
    for (std::size_t c = 0; c < runners_.size(); ++c)
      for (std::size_t s = 0; s < sizes_B_.size(); ++s)
        if (wanted(c, s)) places[c].push_back(s);
    parallel_for(std::ssize(runners_), [&](std::int64_t i) {
      if (!places[i].empty()) isolated([&] { simulate(runners_[i], places[i]); });
    });
  }

  // In one segment, sizes that are alike share what they take; others are simulated as each needs.
  void simulate(Runner& runner, const std::vector<std::size_t>& places) const {
    const auto pipelined = [&](std::size_t s) {
      return runner.candidate.pipelined && runner.segments[s] > 1;
    };
    std::vector<std::size_t> whole, in_segments;
    for (const std::size_t s : places) (pipelined(s) ? in_segments : whole).push_back(s);
    simulation::SimulationOptions options = options_;
    options.recall = runner.recall;
    simulate_whole(runner, whole, options);
    parallel_for(std::ssize(in_segments), [&](std::int64_t i) {
      const std::size_t s = in_segments[static_cast<std::size_t>(i)];
      const Verified verified = runner.candidate.for_size(sizes_B_[s]);
      runner.times_s[s] = plan_time_s(
          {verified, sizes_B_[s], runner.candidate.copies_of(verified), runner.busy_s[s]}, network_,
          options, enough_s_[s]);
      if (runner.times_s[s] == kUnknown) runner.least_s[s] = kUnknown;
    });
  }

  void simulate_whole(Runner& runner, const std::vector<std::size_t>& places,
                      const simulation::SimulationOptions& options) const {
    if (places.empty()) return;
    std::vector<std::int64_t> sizes_B;
    for (const std::size_t s : places) sizes_B.push_back(sizes_B_[s]);
    Contender unpriced;
    const auto rows = simulate_rows(std::span(&runner.candidate, 1), std::span(&unpriced, 1),
                                    sizes_B, network_, options, nullptr);
    for (std::size_t k = 0; k < places.size(); ++k)
      runner.times_s[places[k]] = rows[k].result.time_s;
  }

  std::span<const std::int64_t> sizes_B_;
  const Network& network_;
  const simulation::SimulationOptions& options_;
  std::vector<Runner> runners_;
  std::vector<double> enough_s_;  // the fastest that is known, by size
};

}  // namespace

std::vector<std::vector<double>> contest_times_s(std::span<const Candidate> candidates,
                                                 std::span<const std::int64_t> sizes_B,
                                                 const Network& network,
                                                 const simulation::SimulationOptions& options) {
  return Contest(candidates, sizes_B, network, options).run();
}

}  // namespace weft::question
