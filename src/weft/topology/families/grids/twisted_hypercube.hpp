// The twisted hypercube.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// A hypercube in which the edges 0-1 and 2-3 of a 4-cycle are replaced by 0-3 and 1-2, which makes
/// the diameter dimensions - 1. 2^dimensions nodes of degree `dimensions`; the k-th link of a node
/// is that of hypercube:n, bit k, the swapped ones in bit 0's place. dimensions >= 3. Throws
/// InvalidInput. Source: Esfahanian, Ni, Sagan, "The Twisted N-Cube with Application to
/// Multiprocessing", IEEE ToC 40(1), 1991.
Topology twisted_hypercube(int dimensions);

}  // namespace weft::topology
