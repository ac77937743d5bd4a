// Which neighbouring sizes have one winner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weft/advise/comparison.hpp"

namespace weft::advise {

/// Neighbours by size that share winners become one range, of those that win at all of its sizes; a
/// size without winners belongs to none and ends the one before. `winners`: of each size, in any
/// order of sizes; sorted.
std::vector<WinnerRange> winner_ranges_of(std::span<const std::int64_t> sizes_B,
                                          std::span<const std::vector<std::size_t>> winners);

}  // namespace weft::advise
