// Racks in a grid, row by row.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace weft::analysis {

inline constexpr double kCableInRack_m = 1;    // average within a rack
inline constexpr double kCableOverhead_m = 1;  // of each cable between racks (Eq. 4.10)

/// ceil(sqrt(racks)).
inline std::int64_t square_columns(std::int64_t racks) {
  auto columns = static_cast<std::int64_t>(std::sqrt(static_cast<double>(racks)));
  while (columns * columns < racks) ++columns;
  while (columns > 1 && (columns - 1) * (columns - 1) >= racks) --columns;
  return columns;
}

/// Manhattan distance of two racks of a grid with so many columns, in metres.
inline std::int64_t rack_distance(std::int64_t a, std::int64_t b, std::int64_t columns) {
  return std::abs(a / columns - b / columns) + std::abs(a % columns - b % columns);
}

inline double cable_between(std::int64_t a, std::int64_t b, std::int64_t columns) {
  return static_cast<double>(rack_distance(a, b, columns)) + kCableOverhead_m;
}

}  // namespace weft::analysis
