// Tori, rings and hypercubes: a ring in every dimension.
#pragma once

#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// A ring in every dimension; a dimension of extent 2 is one cable. The first extent varies
/// fastest. Links of dimension i are of class "x", "y", "z", "d4", ... and go up, then down.
/// Extents >= 2. Throws InvalidInput.
Topology torus(const std::vector<int>& extents);

/// A bidirectional ring, up first; a ring of two nodes is one cable. nodes >= 2. Throws
/// InvalidInput.
Topology ring(int nodes);

/// A one-way ring u -> u + 1. nodes >= 2. Throws InvalidInput.
Topology uniring(int nodes);

/// 2^dimensions nodes, linked when their numbers differ in one bit. 1 <= dimensions. Throws
/// InvalidInput.
Topology hypercube(int dimensions);

}  // namespace weft::topology
