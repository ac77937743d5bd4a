// Schedules in many segments, of which a few are simulated.
//
// Once a pipeline is full each segment more repeats what the one before it did, and ends as long
// after it as that one after its own. So each rank's time grows by the same with each segment, and
// a run of few shows that growth: it is how much later than a segment before the rank leaves a step
// in which all of the pipeline is under way. One that ends early but grows faster is last at some
// number. Where lengths differ by a byte growth wavers from step to step, by little over several;
// over two spans of them it tells how far it can be trusted.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// Seconds, and by how many the times differ that growth over two spans tells.
struct SteadyTime {
  double time_s = 0, spread_s = 0;
};
/// What a run of few told.
struct SteadyRun {
  std::optional<SteadyTime> time = {};
  std::int64_t work =
      0;  // that it took, see SimulationOptions::most_work; also where it tells none
};

/// Segments that fill the pipeline for as long as steady_time looks at it.
std::int64_t fewest_steady(const schedule::Schedule& schedule);

/// The network with hosts that copy and reduce at every size as they do in this program, so that a
/// part of the program takes as long as it does in the whole. Nothing where their rates do not
/// depend on the size.
std::optional<Network> with_rates_of(const Program& program, const Network& network);

/// Of the schedule in all its segments, as the fluid simulation of `few` of them of the same length
/// tells it. No time where it does not: with no more segments than these, or with less than
/// fewest_steady(); under other models and as dataflow; under routings that see whole steps; where
/// no run goes from step to step, since a shortcut gives the time of all as fast; and where no rank
/// was seen to take longer for a segment more, or the limits of the options ended the run. Within 2
/// % of the whole where spread_s is below half a thousandth of the time. Throws InvalidInput for
/// options that the simulation refuses.
SteadyRun steady_time(const Verified& verified, const program::LowerOptions& lowering,
                      const Network& network, const SimulationOptions& options, std::int64_t few);

}  // namespace weft::simulation
