// The simulators behind simulate(), one per model. Each fills the times of the agents and, when
// asked, the bytes of the links.
#pragma once

#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/reading/step_window.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

class Driver;

/// Throws InvalidInput for options that the model has no use for.
void check_options(const SimulationOptions& options);
/// The job's end from the times of its agents, which then count from its start.
void end(const Job& job, SimulationResult& result);
/// Adds the step's messages, and what they put on links where these are counted.
void count_messages(const LoadedStep& step, SimulationResult& result);

SimulationResult simulate_alpha_beta(const Program& program, const Network& network,
                                     const SimulationOptions& options);
/// Several jobs on the links of the first one's network. The driver, where there is one, sends the
/// messages of the first job, which has them in one step.
std::vector<SimulationResult> simulate_fluid_together(std::span<const Job> jobs,
                                                      const SimulationOptions& options,
                                                      Driver* driver = nullptr);
std::vector<SimulationResult> simulate_packets(std::span<const Job> jobs,
                                               const SimulationOptions& asked,
                                               Driver* driver = nullptr);

}  // namespace weft::simulation
