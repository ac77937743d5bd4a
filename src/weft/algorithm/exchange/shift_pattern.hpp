// The groups of schedules in which all ranks do the same.
#pragma once

#include "weft/base/checked.hpp"
#include "weft/schedule/symmetry.hpp"

namespace weft::algorithm {

/// Shifts of all ranks; the trivial group for one rank.
inline Symmetry cyclic(std::int32_t ranks) {
  return ranks == 1 ? Symmetry() : Symmetry::translations({ranks});
}

/// Exclusive-or of all ranks, a power of two; the trivial group for one rank.
inline Symmetry exclusive_or(std::int32_t ranks) {
  return ranks == 1 ? Symmetry() : Symmetry::translations(std::vector<int>(ceil_log(2, ranks), 2));
}

}  // namespace weft::algorithm
