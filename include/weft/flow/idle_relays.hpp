// Hosts that could pass data on, but do not.
#pragma once

#include <cstdint>
#include <span>

#include "weft/topology/topology.hpp"

namespace weft::flow {

/// Hosts without a rank (`places`: those of ranks) that have cables to two nodes or more, on
/// networks with switches, where optimum and throughput have them pass nothing on. Without
/// switches there are none. O(links log links).
std::int32_t idle_relays(const Topology& topology, std::span<const NodeId> places);

}  // namespace weft::flow
