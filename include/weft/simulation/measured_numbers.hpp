// The numbers that a simulation measures, as one table: answers of weft simulate, rows of studies
// and comparisons take them from here.
//
// A new number is a member of SimulationResult (or a function of one) and a line of the table. It
// then is in all of these. One that follows from the program, such as the number of messages, is
// set in add_numbers(), next to the table; no model knows of it. A comparison has results that no
// simulation measured, between simulated sizes or of a few segments: there a number of type
// std::optional is absent.
#pragma once

#include "weft/answer/part.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// Labels are those that people read in lists of facts.
answer::Parts<SimulationResult> measured_numbers();
/// Those without a place of their own in answers: not time, messages, algorithm_bandwidth and
/// bus_bandwidth.
answer::Parts<SimulationResult> further_numbers();

/// The keys packets, mean_latency, ... (docs/reference/answer-keys.md).
answer::Parts<PacketStatistics> packet_parts();

}  // namespace weft::simulation
