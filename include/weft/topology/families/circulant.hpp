// Circulant graphs, complete and complete bipartite ones.
#pragma once

#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Node u is linked with u + j and u - j (mod nodes) for every jump, in this order; the jump nodes
/// / 2 is one cable. nodes >= 2, jumps in [1, nodes / 2] and distinct. Throws InvalidInput.
Topology circulant(int nodes, const std::vector<int>& jumps);

/// Every two nodes are linked; the k-th link of u goes to u + k + 1 (mod nodes). nodes >= 2. Throws
/// InvalidInput.
Topology complete(int nodes);

/// Nodes 0..first-1 are each linked with the nodes first..first+second-1. Both >= 1. Throws
/// InvalidInput.
Topology bipartite(int first, int second);

}  // namespace weft::topology
