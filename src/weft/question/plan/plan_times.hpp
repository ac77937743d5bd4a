// What a schedule takes, as closely as plans need to know.
//
// Of a schedule in many segments the size may be moved by less than kPlanTie, to one of which
// messages have as many bytes in all segments: those of one kind then stay alike, which simulations
// are much faster at. And a few segments are simulated where these tell the time
// (simulation/steady.hpp). Both are right to two percent, mostly to half of one: a byte more
// in some messages lets others pass, and a pipeline may settle late.
#pragma once

#include <cstdint>

#include "weft/evaluate/contest.hpp"
#include "weft/network/network.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::question {

/// Times that differ by less are as good.
inline constexpr double kPlanTie = 1e-3;

/// Seconds; or infinity where the first few segments alone take more than `enough_s`.
double plan_time_s(const evaluate::ContestRun& run, const Network& network,
                   const simulation::SimulationOptions& options, double enough_s);

/// Schedules in many segments are timed by plan_time_s(). Refers to its parameters.
evaluate::ContestRules plan_rules(const Network& network,
                                  const simulation::SimulationOptions& options);

/// The nearest size of which all messages are whole numbers of units of as many bytes, or at least
/// all segments have as many, where it is nearer than kPlanTie and segments are many; otherwise the
/// same.
std::int64_t nearest_even_B(const schedule::Schedule& schedule, std::int64_t size_B);

/// Even sizes of a schedule are the multiples of either: of `whole_B` all its messages are whole
/// numbers of units of as many bytes, of `segments_B` its segments have as many.
struct EvenSteps {
  std::int64_t whole_B = 1, segments_B = 1;
};
EvenSteps even_steps(const schedule::Schedule& schedule);

/// The multiple above 0 next to a size.
std::int64_t nearest_multiple(std::int64_t size_B, std::int64_t step_B);

}  // namespace weft::question
