// Loads of links as whole numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/flow/trees/carrier.hpp"
#include "weft/graph/fractions.hpp"

namespace weft::flow {

/// Each load (by link, of which as much enters as leaves every node that copies nothing) as one of
/// the two whole numbers next to it, such that this still holds: what trees bring in they take on.
/// Links between ranks, and all where every node has a rank, are rounded up. O(arcs^2) at worst.
std::vector<std::int64_t> whole_loads(const Carrier& carrier,
                                      const std::vector<graph::Fraction>& loads);

}  // namespace weft::flow
