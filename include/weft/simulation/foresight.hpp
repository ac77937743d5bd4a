// A program's time without all of its simulation, for searches that compare times.
#pragma once

#include <limits>

#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// The time lies in [least_s, most_s]; where both are one, it is what simulate() says, to the bit.
struct TimeRange {
  double least_s = 0, most_s = 0;
};

/// What is to be known of simulate().time_s: its bits, or to 1e-9 where calls in a row repeat, or
/// only that it is above `limit_s`, where it is. In the last case most_s is infinite. Throws as
/// simulate() as far as it goes: what only a later message makes wrong is not found above the
/// limit.
TimeRange foresee_time(const Program& program, const Network& network,
                       const SimulationOptions& options,
                       double limit_s = std::numeric_limits<double>::infinity());

}  // namespace weft::simulation
