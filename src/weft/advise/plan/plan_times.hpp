// What a schedule takes, as closely as plans need to know: of many messages in many segments as a
// few of these tell it (evaluate/few_segments.hpp).
#pragma once

#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/few_segments.hpp"
#include "weft/network/network.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::advise {

using evaluate::even_steps;
using evaluate::EvenSteps;
using evaluate::nearest_even_B;
using evaluate::nearest_multiple;

/// Seconds; or infinity where it is seen to take more than `enough_s`, ties apart.
double plan_time_s(const evaluate::ContestRun& run, const Network& network,
                   const simulation::SimulationOptions& options, double enough_s);

/// Schedules in many segments are timed by plan_time_s(). Refers to its parameters.
evaluate::ContestRules plan_rules(const Network& network,
                                  const simulation::SimulationOptions& options);

}  // namespace weft::advise
