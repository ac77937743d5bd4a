// The radixes that MPI libraries give to trees.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/algorithm/options.hpp"

namespace weft::algorithm {

/// Open MPI has k-nomial trees of 2 and 4, MPICH of 2 to 8 with its tuning files.
inline constexpr std::array<std::int64_t, 4> kLibraryRadixes{2, 3, 4, 8};

/// The radixes to try among this number of ranks: the given one, else the algorithm's own and those
/// of libraries. Radixes of this number and more make one schedule, so the first of them is
/// returned alone.
std::vector<std::int64_t> radixes_to_try(const CountOption& radix, const AlgorithmOptions& options,
                                         std::int32_t ranks);

}  // namespace weft::algorithm
