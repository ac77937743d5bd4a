// The simulators behind simulate(), one per model. Each fills the times of the agents and, when
// asked, the bytes of the links.
#pragma once

#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// The job's end from the times of its agents, which then count from its start.
void end(const Job& job, SimulationResult& result);

SimulationResult simulate_alpha_beta(const Program& program, const Network& network,
                                     const SimulationOptions& options);
/// Several jobs on the links of the first one's network.
std::vector<SimulationResult> simulate_fluid_together(std::span<const Job> jobs,
                                                      const SimulationOptions& options);
std::vector<SimulationResult> simulate_packets(std::span<const Job> jobs,
                                               const SimulationOptions& asked);

}  // namespace weft::simulation
