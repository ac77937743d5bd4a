// HyperX networks: Hamming networks with parallel links.
#pragma once

#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Nodes are linked when exactly one coordinate differs, by parallel[i] cables where that is
/// coordinate i; the first extent varies fastest. The degree is the sum of parallel[i] (m_i - 1).
/// Links of dimension i are of class "x", "y", "z", "d4", ... and stand in the order of the offset
/// 1, 2, ... of the coordinate, parallel ones together. Extents >= 2; as many counts as extents,
/// each >= 1. Throws InvalidInput.
///
/// Source: Ahn, Binkert, Davis, McLaren, Schreiber, "HyperX: Topology, Routing, and Packaging of
/// Efficient Large-Scale Networks", SC 2009: HyperX(L, S, K, T) with L extents S and counts K; T
/// hosts a switch are attached by hosts(T, X).
Topology hyperx(const std::vector<int>& extents, const std::vector<int>& parallel);

}  // namespace weft::topology
