// The fastest of candidates at each size, of which most are not simulated.
//
// Where a candidate cannot win it needs no simulation. It takes no less than its busiest link for
// all that this carries, and no less than at the least size, where nearly all is latency: that more
// bytes make no schedule faster is exact where links are not shared, and nearly so where they are.
// Against these bounds stand the times of the two that promise most, by steps * latency +
// T_B * M / B, and that of each at the least size; who may still win after these is simulated, too.
//
// Packets choose their ways, routings that see whole steps give others to other segments, and
// factors by size may speed messages up: there no bound holds, and all is simulated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/question/comparison/candidate.hpp"

namespace weft::question {

/// No schedule is changed for one that is faster by less.
inline constexpr double kPlanTie = 1e-3;

/// Seconds by candidate and size; infinity where one is slower than the fastest by more than
/// kPlanTie, or a bound says so. `sizes_B` in increasing order. On all threads; does not depend on
/// their number.
std::vector<std::vector<double>> contest_times_s(std::span<const Candidate> candidates,
                                                 std::span<const std::int64_t> sizes_B,
                                                 const Network& network,
                                                 const simulation::SimulationOptions& options);

}  // namespace weft::question
