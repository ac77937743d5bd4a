// Positive unknowns from sums of them: what is known of each, and of which only sums are.
#pragma once

#include <vector>

#include "weft/calibrate/calibration.hpp"

namespace weft::calibrate {

/// sum over j of coefficients[j] * x[j] = value, none of them negative.
struct Sum {
  std::vector<double> coefficients;
  double value = 0;
};

/// The x nearest to the sums, from `first` on, which is above 0 and decides where they leave a
/// choice: expectation maximisation (Richardson and Lucy), which keeps x above 0 and scales what
/// only one sum holds by one factor. O(rounds * sums * unknowns).
std::vector<double> solve_sums(const std::vector<Sum>& sums, std::vector<double> first);

/// Whether the sums tell unknown j from the others. O(sums^2 * unknowns).
bool separable(const std::vector<Sum>& sums, std::size_t j);

/// What they leave open of unknown j.
Interval interval_of(const std::vector<Sum>& sums, std::size_t j);

}  // namespace weft::calibrate
