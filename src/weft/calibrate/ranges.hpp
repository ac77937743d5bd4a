// Ranges of sizes in which a time is a straight line, a + g m.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::calibrate {

struct SizedTime {
  double size_B = 0, time_s = 0;
};

/// a + g m, neither below 0, of least squared relative errors.
struct Line {
  double start_s = 0, per_byte_s = 0;
  std::int64_t points = 0;
  double errors = 0;  // sum of squares
};

/// O(points). Zero points give a line of zero.
Line fit_line(const std::vector<SizedTime>& times, double from_B, double below_B);

/// The sizes at which ranges begin, the first of them the smallest size; several curves share them.
/// Dynamic programming over the measured sizes with a penalty on the number of ranges. Each has
/// three sizes at least. O(sizes^2 * points).
std::vector<double> ranges_of(const std::vector<std::vector<SizedTime>>& curves);

}  // namespace weft::calibrate
