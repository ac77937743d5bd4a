// The fluid simulator by itself, with or without what spares it work.
#pragma once

#include <limits>

#include "weft/simulation/shortcuts/shortcuts.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

class StepEnds;

/// Those of the fluid simulator that give what simulate() says.
inline constexpr Shortcuts kUsualShortcuts{Shortcut::orbits,       Shortcut::uncontended,
                                           Shortcut::one_step,     Shortcut::alike,
                                           Shortcut::step_repeats, Shortcut::least_rest};
/// With what changes the last digits.
inline constexpr Shortcuts kFluidShortcuts = kUsualShortcuts | Shortcuts{Shortcut::call_repeats};

struct FluidRunOptions {
  Shortcuts shortcuts = kUsualShortcuts;  // that may be used
  /// Where it takes longer, by more than rounding, it may end early.
  double limit_s = std::numeric_limits<double>::infinity();
  StepEnds* ends = nullptr;  // told when steps are left, where they are gone through; may be null

  /// Whether a shortcut may be used with these features.
  bool use(Shortcut shortcut, Features features) const {
    return shortcuts.has(shortcut) && covers(shortcut, features);
  }
};

/// simulate() without the bandwidths, for SimulationOptions::model fluid.
SimulationResult simulate_fluid(const Program& program, const Network& network,
                                const SimulationOptions& options, const FluidRunOptions& run = {});

}  // namespace weft::simulation
