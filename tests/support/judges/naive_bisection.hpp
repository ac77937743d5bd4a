// The fewest cables between two halves of the hosts, by trying all sets of nodes.
#pragma once

#include <cstdint>

#include "weft/topology/topology.hpp"

namespace weft::support {

/// Hosts with a single cable to a switch go to whichever side makes the halves equal: one that is
/// not its switch's costs its cable. O(2^n) for n other nodes, at most 22 or so.
std::int64_t naive_bisection(const Topology& topology);

}  // namespace weft::support
