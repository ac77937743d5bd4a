// The best fixed shares of all orders of dimensions, for an allgather on a Hamming network.
#pragma once

#include <optional>
#include <vector>

#include "weft/algorithm/multi_dimensional.hpp"

namespace weft::algorithm {

/// The optimum over fixed shares, exactly, with the prices that prove it; nothing where a fraction
/// does not fit in 64 bits. `orders` are permutations of the extents, each of two nodes or more.
std::optional<FixedShares> best_fixed_shares(const std::vector<int>& extents,
                                             const std::vector<std::vector<int>>& orders);

}  // namespace weft::algorithm
