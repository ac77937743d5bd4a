// What a collective takes at least.
#pragma once

#include <cstdint>

#include "weft/evaluate/evaluation.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::training {

/// Seconds that no schedule of those which the bounds are for is below, in any model of simulation:
/// a start-up and the latency of as many links as the farthest ranks are apart; and a start-up, the
/// latency of a link and the bandwidth term of the cuts, of the ports and of the optimum where it
/// is that of all schedules. Precondition: the bounds have cuts and optimum. O(links).
double least_time_s(const LowerBounds& bounds, const Collective& collective, const Network& network,
                    std::int64_t size_B, const simulation::SimulationOptions& simulation);

/// A start-up, and the latency of `links` links or the latency of one and the time of sending, what
/// is longer; at the factors by size that are best.
double with_startup_s(double sending_s, std::int64_t links, const Network& network,
                      const simulation::SimulationOptions& simulation);

}  // namespace weft::training
