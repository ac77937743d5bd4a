// The contest: which candidate is fastest at each size, where most are not simulated.
//
// A candidate that cannot win needs no simulation. It takes no less than its busiest link for all
// that this carries, and no less than where each rank has all links for itself (single_ranks.hpp).
// At each size the one that promises most, by steps * latency + start-ups + T_B * M / B and the
// sums of pipelines, is simulated. Then the next two that may still win follow, and so on until
// none is left. Each run ends as soon as it is known to take longer than the fastest so far.
//
// Times within kTie of the fastest tie. Of these the algorithm with the smallest estimate wins. An
// algorithm with a larger estimate than the leader must be faster by more than a tie. If its bound
// excludes that, it is not simulated.
//
// Several schedules of a candidate are in the contest one by one (contest_of_choices.cpp). Each is
// in the number of segments that its estimate chooses. In the end the leader of each size, and each
// other that may become faster by it, is tried in other numbers of segments (nearby_segments.hpp).
//
// Runs are paid from a budget of work, which is counted and not timed: who is simulated, and how
// far, depends on neither the machine nor its threads.
//
// Packets choose their ways, routings that see whole steps give others to other segments, and
// factors by size may speed messages up: there no bound holds before a simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/comparison_progress.hpp"

namespace weft::evaluate {

/// A run of a candidate at a size, with its segments.
struct ContestRun {
  schedule::Verified verified;
  std::int64_t size_B = 0;
  std::shared_ptr<const program::CopyPlan> copies = {};
  double busy_s = 0;  // of its busiest link, or less
};

struct ContestRules {
  /// Of all runs together, see simulation::SimulationOptions::most_work.
  std::int64_t most_work = std::numeric_limits<std::int64_t>::max();
  /// Times a run in more than one segment. It ends early at the limits of the options, as a
  /// simulation does. Empty: simulated as all others.
  std::function<simulation::SimulationResult(const ContestRun&,
                                             const simulation::SimulationOptions&)>
      time_of_segments = {};
  /// How many times the usual work the search for other numbers of segments may take.
  std::int64_t segment_searches = 1;
  /// Nothing said of a size depends on which others are asked for, to the last bit: no time is read
  /// off a line between others.
  bool each_size_alone = false;
};

struct ContestResult {
  /// By candidate and size. The time of a row that was not simulated to its end is a lower bound.
  std::vector<std::vector<ComparisonRow>> rows;
  /// By size: the candidate that wins by what was simulated; candidates.size() if none was.
  std::vector<std::size_t> winners;
  /// By candidate that has several schedules or numbers of segments, and size: those of its row,
  /// which is the fastest of those that were simulated. If `complete`, no schedule is faster than a
  /// winner's.
  std::vector<std::map<std::int64_t, Candidate::Choice>> choices = {};
  /// Whether all that may win was simulated: neither the work nor a TimeLimit ended it. Each
  /// schedule counts in the segments that its estimate chooses. The search for other numbers of
  /// segments takes a limited amount of work and may miss the best.
  bool complete = true;
  /// Where it is not, the sizes at which another may be faster than the winner.
  std::vector<std::int64_t> open_sizes_B = {};
  bool out_of_time = false;
  bool out_of_work = false;  // something that may win was not simulated to its end
};

/// `sizes_B` in increasing order, each once. `contenders`: by candidate, told what simulations
/// took. On all threads; does not depend on their number.
ContestResult contest(std::span<const Candidate> candidates, std::span<Contender> contenders,
                      std::span<const std::int64_t> sizes_B, const Network& network,
                      const simulation::SimulationOptions& options, const ContestRules& rules,
                      ComparisonProgress* progress = nullptr);

/// Makes the candidates of a contest choose what it found.
void settle(std::span<Candidate> candidates, const ContestResult& found);

/// Makes a candidate choose at these sizes what is fastest of its own schedules and segments: in
/// the fluid model as in a contest; in the other models by simulating each schedule, where all of a
/// size have few messages or packets, and else as in the fluid model, or by the estimate in the
/// alpha-beta model. Nothing changes where it has no choice. Seconds; where the work of a contest
/// ends before, its estimate stays.
void settle_alone(Candidate& candidate, std::vector<std::int64_t> sizes_B, const Network& network,
                  const simulation::SimulationOptions& options);

}  // namespace weft::evaluate
