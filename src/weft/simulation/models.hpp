// The simulators behind simulate(), one per model. Each fills the times of the agents and, when
// asked, the bytes of the links; add_numbers() does the rest.
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
/// Adds what the step's messages put on links, where these are counted.
void count_link_bytes(const LoadedStep& step, SimulationResult& result);
/// Sets the numbers that follow from the program and its time, whichever model and shortcut found
/// that time; nothing for a run that ended early. Defined next to their table
/// (measured_numbers.cpp).
void add_numbers(const Job& job, SimulationResult& result);
/// Seconds that one call takes at every rank on top of its messages: launch, skew, first touch, and
/// the longer time of exchanges. O(messages) on a machine with exchanges.
double call_s(const Program& program, const Network& network);

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
