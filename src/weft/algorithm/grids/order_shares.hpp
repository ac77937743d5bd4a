// The best shares of all orders of dimensions, for an allgather on a Hamming network.
#pragma once

#include <optional>
#include <vector>

#include "weft/algorithm/multi_dimensional.hpp"

namespace weft::algorithm {

/// The optimum over shares of every order of the dimensions in every choice of their steps among
/// `steps`, exactly, with the prices that prove it; nothing where a fraction does not fit in 64
/// bits. Extents of two nodes or more, and as many steps or more.
std::optional<RouteShares> best_route_shares(const std::vector<int>& extents, int steps);

/// The same in the least steps: fixed shares.
std::optional<FixedShares> best_fixed_shares(const std::vector<int>& extents);

}  // namespace weft::algorithm
