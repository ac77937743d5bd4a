// What hosts alone, and switches alone, join: boxes whose GPUs are linked directly, planes.
#pragma once

#include "weft/base/id_vector.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// By node: the lowest node that it is joined to by links between hosts alone, or, of a switch,
/// between switches alone, whichever way they lead; itself where there is none. O(links log nodes).
IdVector<NodeId, NodeId> lowest_joined(const Topology& topology);

}  // namespace weft::topology
