// What is known to look the same from every node, at no more cost than reading the links once.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// Whether the network is a Cayley graph by its expression (topology::as_cayley), with equally many
/// hosts on each switch where it has switches: then automorphisms of the whole network take any
/// core node to any other, so that one node's distances and cycles are all nodes'. False says
/// nothing. O(links).
bool is_known_vertex_transitive(const Topology& topology);

}  // namespace weft::analysis
