// Distances between routers, counted in links.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/network/wiring.hpp"

namespace weft::network {

/// Whether a way to the target may go by the link, if packets pass no relays
/// (topology/passing.hpp).
bool leads_plainly(const Wiring& wiring, LinkId link, NodeId target);

/// Links from every node that is no leaf to the target, graph::kUnreached where none lead there.
/// O(nodes + links).
std::vector<std::int32_t> distances_towards(const Wiring& wiring, std::int32_t target);

/// For every router the out-link towards `target` on a path with the fewest links, by the lowest
/// next node; kNone at the target itself, at leaves and where there is no path. Written to `next`;
/// returns the most links to a node that was reached.
int search_towards(const Wiring& wiring, std::int32_t target, std::vector<std::int32_t>& next);

}  // namespace weft::network
