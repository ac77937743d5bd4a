// Who wins at a size: the one tie rule.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace weft::evaluate {

/// Index of the winner: of the times within kTie of the least, the one with the smallest estimate;
/// if estimates are equal, the first. Times that are not known are infinite. Returns times_s.size()
/// if none is known. `estimate_s`: by index, asked where several tie.
std::size_t winner_of(std::span<const double> times_s,
                      const std::function<double(std::size_t)>& estimate_s);

}  // namespace weft::evaluate
