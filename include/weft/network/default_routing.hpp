// Why `auto` stands for what it does.
#pragma once

#include <string>

#include "weft/topology/topology.hpp"

namespace weft::network {

/// Why default_routing() is not what the whole network would have, in half a sentence; empty where
/// it is. A tree of which so much failed that no way up and then down joins some hosts that still
/// hang together is routed by shortest-split; boxes and planes have no use for the forwarding
/// tables of the fabric that they are made of. O(links * groups of hosts / 64) on damaged trees.
std::string default_routing_reason(const Topology& topology);

}  // namespace weft::network
