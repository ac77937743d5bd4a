// What an experiment file says, checked before anything is run.
#pragma once

#include "weft/experiment/experiment.hpp"

namespace weft::experiment {

/// Throws InvalidInput, "FILE:LINE: what is wrong; what is right", for names, values and references
/// that make no sense.
void check_experiment(Experiment& experiment);

/// The axes of a grid: those of the file, or with quick ones in their places.
std::vector<Axis> axes_of(const Experiment& experiment, bool quick);

/// The values of an axis as single ones: variables replaced, ranges of sizes expanded.
std::vector<std::string> values_of(const Axis& axis, const std::vector<Axis>& axes);

}  // namespace weft::experiment
