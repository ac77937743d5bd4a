// weft simulate --together: several collectives at once on one network.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/answers/simulation_answer.hpp"

namespace weft::cli {

/// Refuses options that the file of calls replaces, or that take one call. Throws InvalidInput.
void check_together(const Given& given);

/// Runs the calls of the file `asked.together` and prints their times; `choose` takes the links to
/// show of a result.
int simulate_calls(
    const SimulationAsked& asked, const simulation::SimulationOptions& simulation, Streams& streams,
    const std::function<std::vector<LinkId>(const simulation::SimulationResult& result)>& choose);

}  // namespace weft::cli
