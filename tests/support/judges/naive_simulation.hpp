// The fluid simulator by the definition: all rates from scratch at every event.
#pragma once

#include <vector>

#include "weft/simulation/simulation.hpp"

namespace weft::test {

/// When each agent has done its last operation. Per-rank and lockstep; no local work; every message
/// goes between nodes. O(events * messages * links).
std::vector<double> naive_simulation(const Program& program, const Network& network,
                                     const SimulationOptions& options);

}  // namespace weft::test
