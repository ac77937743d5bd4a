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

/// The time of a run, within two percent where it has many messages. Ends early at the limits of
/// the options, as a simulation does. A time that a few segments tell has no other numbers.
simulation::SimulationResult time_for_plan(const evaluate::ContestRun& run, const Network& network,
                                           const simulation::SimulationOptions& options);

/// Schedules in many segments are timed by time_for_plan(). Refers to the network.
evaluate::ContestRules plan_rules(const Network& network);

}  // namespace weft::advise
