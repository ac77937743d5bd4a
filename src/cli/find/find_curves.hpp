// What few steps cost on the networks of weft find: a curve of each.
#pragma once

#include <vector>

#include "cli/find/find_measures.hpp"
#include "cli/optimum/curve.hpp"

namespace weft::cli {

/// Throws InvalidInput for --steps that are no range, for more than one size of network or one that
/// is too large, and where --csv has no room for curves.
void check_curves(const FindOptions& options, int first_nodes, int last_nodes);

/// One for each line, from its own least number of steps on; none where that is above the last.
/// Empty where none are asked for.
std::vector<NetworkCurve> curves_of(const search::FoundFront& found, const FindOptions& options);

}  // namespace weft::cli
