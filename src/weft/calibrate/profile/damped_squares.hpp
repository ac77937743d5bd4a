// A step of damped least squares.
#pragma once

#include <vector>

namespace weft::calibrate {

/// Returns the step x that minimises |columns x + residuals|^2 + damping * sum of
/// |column|^2 x^2 (Levenberg 1944, Marquardt 1963). Columns are not zero. O(rows * columns^2).
std::vector<double> damped_step(const std::vector<std::vector<double>>& columns,
                                const std::vector<double>& residuals, double damping);

}  // namespace weft::calibrate
