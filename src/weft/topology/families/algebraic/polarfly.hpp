// PolarFly networks: the polarity graphs of Erdos and Renyi.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// The points of the projective plane PG(2, q), q a prime power, two linked where their dot product
/// is 0: q^2 + q + 1 nodes of degree q + 1, save that the q + 1 points orthogonal to themselves
/// have degree q; diameter 2. A point is a vector whose first entry other than 0 is 1, in
/// lexicographic order: (0,0,1), (0,1,z) and (1,y,z) are 0, 1 + z and 1 + q + q y + z. The nominal
/// degree is q + 1. Throws InvalidInput. O(q^3).
///
/// Source: Erdos, Renyi, "On a Problem in the Theory of Graphs", 1962; as a network Lakhotia et
/// al., "PolarFly: A Cost-Effective and Flexible Low-Diameter Topology", SC 2022.
Topology polarfly(int q);

}  // namespace weft::topology
