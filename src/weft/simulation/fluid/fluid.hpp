// The fluid simulator by itself, with or without what spares it work.
#pragma once

#include <limits>

#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

class StepEnds;

/// What the fluid simulator may leave out because it follows from the rest. Each gives the times of
/// the full simulation, to rounding; docs/explanation/fluid.md says why.
struct Shortcuts {
  bool orbits = true;       // follow one agent of each orbit of the schedule's symmetry
  bool uncontended = true;  // no rates where no link is shared
  bool alike = true;        // one message of each class of a step's that are alike
  bool repeats = true;      // steps that begin alike and do the same pass once
  bool calls = false;       // calls in a row end once they repeat; last digits differ
  /// Where it takes longer, by more than rounding, it may end early.
  double limit_s = std::numeric_limits<double>::infinity();
  StepEnds* ends = nullptr;  // told when steps are left, where they are gone through; may be null
};

/// simulate() without the bandwidths, for SimulationOptions::model fluid.
SimulationResult simulate_fluid(const Program& program, const Network& network,
                                const SimulationOptions& options, const Shortcuts& allowed = {});

}  // namespace weft::simulation
