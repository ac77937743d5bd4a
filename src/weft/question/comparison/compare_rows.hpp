// simulate_rows: the times of a comparison, of all candidates at all sizes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/progress.hpp"
#include "weft/question/comparison.hpp"
#include "weft/question/comparison/candidate.hpp"

namespace weft::question {

/// Rows contender by contender, in the order of `sizes_B`, with what simulating them took in the
/// contenders. The candidates with most messages come first; sizes between which times are a
/// straight line are not simulated (SizeCurve). On all threads; `progress` has a tick a row.
std::vector<ComparisonRow> simulate_rows(std::span<const Candidate> candidates,
                                         std::span<Contender> contenders,
                                         std::span<const std::int64_t> sizes_B,
                                         const Network& network,
                                         const simulation::SimulationOptions& options,
                                         Progress* progress);

}  // namespace weft::question
