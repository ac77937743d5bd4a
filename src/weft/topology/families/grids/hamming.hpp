// Hamming networks: fully connected in every dimension; in two dimensions, 2dfc.
#pragma once

#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Nodes are linked when exactly one coordinate differs; the first extent varies fastest. Links of
/// dimension i are of class "x", "y", "z", "d4", ... and stand in the order of the offset 1, 2, ...
/// of the coordinate. Extents >= 2. Throws InvalidInput.
Topology hamming(const std::vector<int>& extents);

/// hamming({width, height}) by its own name: the two-dimensional fully connected network.
Topology two_dimensional_fully_connected(int width, int height);

}  // namespace weft::topology
