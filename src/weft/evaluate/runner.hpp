// Runner: a candidate on its way through a contest, and what it promises before it is simulated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/simulation/recall.hpp"

namespace weft::evaluate {

// Numbers by size.
struct Runner {
  const Candidate& candidate;
  Contender& contender;
  std::shared_ptr<simulation::Recall> recall;
  std::vector<double> expected_s = {}, busy_s = {};
  std::vector<double> with_sums_s = {};  // expected, as far as sums are known
  std::vector<ComparisonRow> rows = {};
  std::map<std::int64_t, std::int64_t> cut_by_segments = {};  // see cut_at()
  std::vector<bool> seen_alone = {}, seen_otherwise = {};
  /// Of its first schedule, where the candidate has no price for more segments than one.
  std::optional<SegmentChooser> unpriced_segments = {};

  Runner(const Candidate& from, Contender& told, std::size_t index,
         std::span<const std::int64_t> sizes_B, const Network& network);

  bool is_known(std::size_t size) const { return !rows[size].is_bound; }
  bool knows_any() const {
    return std::ranges::any_of(rows, [](const ComparisonRow& row) { return !row.is_bound; });
  }
  double least_s(std::size_t size) const { return rows[size].result.time_s; }
  void raise(std::size_t size, double least_s) {
    if (is_known(size)) return;
    double& time_s = rows[size].result.time_s;
    time_s = std::max(time_s, least_s);
  }
  void know(std::size_t size, simulation::SimulationResult result) {
    rows[size].result = std::move(result);
    rows[size].is_bound = false;
  }
  /// Of one simulation.
  void spend(std::int64_t work, double seconds) {
    ++contender.spent.simulations;
    contender.spent.work += work;
    contender.spent.simulate_s += seconds;
  }
  /// The most work that was not enough at a size with as many segments.
  std::int64_t cut_at(std::size_t size) const {
    const auto found = cut_by_segments.find(rows[size].segments);
    return found == cut_by_segments.end() ? 0 : found->second;
  }
  void note_cut(std::size_t size, std::int64_t work) {
    std::int64_t& most = cut_by_segments[rows[size].segments];
    most = std::max(most, work);
  }
  /// After a round: layouts that its runs found take no more work, so that what was cut short may
  /// be tried again.
  void learn() {
    if (recall->settle()) cut_by_segments.clear();
  }
  /// With the segments, or the shares, that suit the size.
  ContestRun run_at(std::size_t size) const;
  /// Raises the bound of a size, and of larger ones where it holds, to what each rank takes with
  /// all links for itself. Once for a size, and not where that may take more than `most_work`;
  /// `is_open` says whether a first, cheaper bound leaves anything to find out. Returns the work.
  std::int64_t raise_by_single_ranks(std::size_t size, const Network& network,
                                     std::int64_t most_work, const std::function<bool()>& is_open);
  /// Times what took too much work at a size by less, once: by a few of its many segments
  /// (few_segments.hpp). The time is an upper bound with a lower one. Ends after
  /// SimulationOptions::most_work; returns the work that it took, whether or not it told the time.
  std::int64_t time_otherwise(std::size_t size, const Network& network,
                              const simulation::SimulationOptions& options);
  bool has_many_segments(std::size_t size) const {
    return candidate.pipelined && rows[size].segments > 1;
  }
  /// Whether a bound of single ranks at one size holds at a larger one: it has the same schedule,
  /// and no message is shorter there. `whole`: the program at the smaller size has whole units.
  bool holds_at(std::size_t size, std::size_t larger, bool whole) const;

 private:
  std::int64_t time_by_few_segments(std::size_t size, const Network& network,
                                    const simulation::SimulationOptions& options);
};

/// Of all candidates, on all threads; numbers by size.
std::vector<Runner> runners_of(std::span<const Candidate> candidates,
                               std::span<Contender> contenders,
                               std::span<const std::int64_t> sizes_B, const Network& network);

/// The largest size up to this one with units of whole bytes, of one at least; the size itself
/// where there is none.
std::int64_t whole_size_B(const schedule::Schedule& schedule, std::int64_t size_B);

}  // namespace weft::evaluate
