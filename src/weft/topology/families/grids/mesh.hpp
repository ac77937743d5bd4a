// Meshes: a path in every dimension.
#pragma once

#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// A path in every dimension; the first extent varies fastest. Links of dimension i are of class
/// "x", "y", "z", "d4", ... and stand by dimension, up before down. Extents >= 2. Throws
/// InvalidInput.
Topology mesh(const std::vector<int>& extents);

}  // namespace weft::topology
