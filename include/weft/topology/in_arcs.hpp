// The links of a fabric as the kernels of breadth-first broadcast take them.
#pragma once

#include "weft/graph/in_arcs.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::topology {

/// Links by receiver, numbered as in the fabric, those of a node in their order; capacities are
/// bandwidths, their unit in bytes per second. O(links), and a sort of each node's.
graph::InArcs in_arcs(const Fabric& fabric, graph::Sense sense);

/// The same with their latencies as delays, in picoseconds.
graph::InArcs delayed_in_arcs(const Fabric& fabric, graph::Sense sense);

}  // namespace weft::topology
