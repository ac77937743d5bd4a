// simulate_rows: the times of a comparison, of all candidates at all sizes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/comparison_progress.hpp"
#include "weft/evaluate/contender.hpp"

namespace weft::evaluate {

/// What simulations may take, and took.
struct Work {
  std::int64_t most = std::numeric_limits<std::int64_t>::max();  // of all; each: options.most_work
  std::int64_t spent = 0;
  bool cut_short = false;    // a simulation took more than its own
  bool out_of_time = false;  // a TimeLimit came first
};

/// How many simulations the rows of a candidate begin with. `sizes_B` in increasing order.
std::int64_t first_simulations(const Candidate& candidate, std::span<const std::int64_t> sizes_B,
                               const Network& network,
                               const simulation::SimulationOptions& options);

/// Rows contender by contender, in the order of `sizes_B`, with what simulating them took in the
/// contenders. The candidates with most messages come first; sizes between which times are a
/// straight line are not simulated (SizeCurve), nor what comes after the work is spent, or a
/// TimeLimit: such rows are bounds, of 0. On all threads; `progress` and `work` may be null.
/// Without `work` OutOfTime is thrown.
std::vector<ComparisonRow> simulate_rows(std::span<const Candidate> candidates,
                                         std::span<Contender> contenders,
                                         std::span<const std::int64_t> sizes_B,
                                         const Network& network,
                                         const simulation::SimulationOptions& options,
                                         ComparisonProgress* progress, Work* work = nullptr);

}  // namespace weft::evaluate
