// The simulators behind simulate(), one per model. Each fills the times of the agents and, when
// asked, the bytes of the links.
#pragma once

#include "weft/simulation/fluid.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

SimulationResult simulate_alpha_beta(const Program& program, const Network& network,
                                     const SimulationOptions& options);
std::vector<SimulationResult> simulate_packets(std::span<const Job> jobs,
                                               const SimulationOptions& options);

}  // namespace weft::simulation
