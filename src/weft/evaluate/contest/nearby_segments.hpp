// Other numbers of segments for the leader of a size, where the estimate of links and start-ups was
// wrong about the time.
//
// The estimate takes all ranks to go from step to step together, so that it may count waits that
// the simulation hides. Where the simulated time is another by more than 10 %, twice and half as
// many segments are simulated, and twice or half of that for as long as it is faster by more than a
// tie. Each run ends as soon as it is known to be no faster.
#pragma once

#include <cstddef>
#include <span>

#include "weft/evaluate/budget.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/runner.hpp"

namespace weft::evaluate {

/// Whether estimates of segments may be wrong on these hosts: they do more than send for nothing.
bool may_misjudge_segments(const HostParameters& host);

/// Puts the fastest that it finds into the leaders' rows, by the fluid model. `leaders`: by size,
/// an index of a runner or their number. A size may take four runs as long as the leader's, from
/// 1 / 800 to 1 / 100 of the usual work. Times by
/// ContestRules::time_of_segments count no work.
void try_nearby_segments(std::span<Runner> runners, std::span<const std::size_t> leaders,
                         const Network& network, const simulation::SimulationOptions& options,
                         const ContestRules& rules, Budget& budget);

}  // namespace weft::evaluate
