// The fastest of candidates at each size, of which most are not simulated.
//
// Where a candidate cannot win it needs no simulation. It takes no less than its busiest link for
// all that this carries, no less than where each rank has all links for itself (lone_ranks.hpp),
// and no less than at the least size, where nearly all is latency: that more bytes make no schedule
// faster is exact where links are not shared, and nearly so where they are. At each size the one
// that promises most, by steps * latency + T_B * M / B, is simulated; of those whose bounds leave
// them more to gain than a tie again the one that promises most; and then all that are left.
//
// Packets choose their ways, routings that see whole steps give others to other segments, and
// factors by size may speed messages up: there no bound holds, and all is simulated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan_times.hpp"
#include "weft/question/comparison/candidate.hpp"

namespace weft::question {

/// Seconds by candidate and size, as plan_time_s() tells them; infinity where a bound, or the first
/// few segments, say that one is not faster than the fastest by more than kPlanTie. `sizes_B` in
/// increasing order. On all threads; does not depend on their number.
std::vector<std::vector<double>> contest_times_s(std::span<const Candidate> candidates,
                                                 std::span<const std::int64_t> sizes_B,
                                                 const Network& network,
                                                 const simulation::SimulationOptions& options);

}  // namespace weft::question
