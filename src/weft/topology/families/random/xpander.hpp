// Xpander networks: random lifts of complete graphs.
#pragma once

#include <cstdint>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// A connected random k-lift of the complete graph of degree + 1 nodes, drawn by the seed, the same
/// on every machine: (degree + 1) * k nodes of the degree, simple. The k nodes m k..m k + k - 1 are
/// meta-node m; any two meta-nodes are linked by k cables, one at every node. degree >= 3, k >= 1
/// (1 is the complete graph). Throws InvalidInput. Expected O(nodes * degree).
///
/// Source: Valadarsky, Shahaf, Dinitz, Schapira, "Xpander: Towards Optimal-Performance
/// Datacenters", CoNEXT 2016.
Topology xpander(int degree, int k, std::uint64_t seed);

}  // namespace weft::topology
