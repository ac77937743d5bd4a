// Fit: alpha, epsilon and 1/B from measured times of collectives.
//
// The model: time = epsilon + alpha * steps + bandwidth_factor * M / B, where epsilon is what every
// call costs (launching it, say) and M / B is as in the cost of a schedule.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// appendix A.2.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::calibrate {

/// One measured run of a schedule.
struct Measurement {
  double steps = 0;             // T_L of the schedule
  double bandwidth_factor = 0;  // T_B in units of M/B
  double size_B = 0;            // M
  double time_s = 0;
};

enum class FitMethod : std::uint8_t {
  /// All rows at once, least squares of the relative errors.
  joint,
  /// As printed in the paper: alpha and epsilon from the rows of the smallest M as if bandwidth
  /// cost nothing, 1/B from those of the largest M as if steps cost nothing.
  two_sizes,
};
/// "joint", "two-sizes". Throws InvalidInput.
FitMethod parse_fit_method(std::string_view name);
std::string_view name_of(FitMethod method);

/// |fitted - measured| / measured over some rows.
struct RelativeError {
  double mean = 0, max = 0;
};

/// The model t = epsilon + alpha T_L + T_B M / B, and how near it comes to the measurements.
struct Fit {
  double alpha_s = 0;          // of a step
  double epsilon_s = 0;        // of a call
  double inverse_B_s = 0;      // seconds per byte of M at bandwidth factor 1
  RelativeError all;           // over all rows by the whole model
  RelativeError small, large;  // over the rows of the smallest and of the largest M

  /// What the model estimates for a row.
  double time_s(const Measurement& row) const {
    return epsilon_s + alpha_s * row.steps + inverse_B_s * row.bandwidth_factor * row.size_B;
  }
};

/// Throws InvalidInput when the rows do not determine the three numbers: fewer than three rows, one
/// number of steps only, or (two_sizes) one size only. O(rows).
Fit fit(std::span<const Measurement> rows, FitMethod method = FitMethod::joint);

/// Rows of a CSV text whose first line names the columns steps, bandwidth_factor, size (or M) and
/// time, in any order, others being ignored. Sizes and times are written as elsewhere ("1KiB",
/// "12us") or as plain bytes and seconds; a bandwidth factor may be a fraction "15/8". Throws
/// InvalidInput naming `path` and the line.
std::vector<Measurement> read_measurements(std::string_view text, const std::string& path);

}  // namespace weft::calibrate
