// Who wins at a size: the tie rule of contests, plans, orders, degradations and routing advice.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace weft::evaluate {

/// Times this near to each other, relatively, are a tie: they differ by rounding and by the order
/// in which equal flows end, not by what would be seen on a machine.
inline constexpr double kTie = 1e-3;

/// The longest time that ties with the least.
inline double tie_limit_s(double least_s) {
  return least_s * (1 + kTie);
}
/// Whether a time is as good as the least: it ties, or it is less.
inline bool ties(double time_s, double least_s) {
  return time_s <= tie_limit_s(least_s);
}

/// Index of the winner: of the times within kTie of the least, the one with the smallest estimate;
/// if estimates are equal, the first. Times that are not known are infinite. Returns times_s.size()
/// if none is known. `estimate_s`: by index, asked where several tie.
std::size_t winner_of(std::span<const double> times_s,
                      const std::function<double(std::size_t)>& estimate_s);

}  // namespace weft::evaluate

namespace weft {
using evaluate::kTie;
}  // namespace weft
