// Twisted tori: tori whose short rings close with a shift.
#pragma once

#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Two or three dimensions of extent k or 2k, both present, k >= 2. A ring along a short dimension
/// closes with a shift by k along every long one; rings along long dimensions close as usual. It is
/// the Cayley graph of Z^n modulo a lattice with the generators +-e_i:
///   k x 2k        the lattice of (k, k), (0, 2k): 2k^2 nodes, diameter k
///   k x k x 2k    face-centred cubic, FCC(k), (k,0,k), (0,k,k), (0,0,2k): diameter floor(3k / 2)
///   k x 2k x 2k   body-centred cubic, BCC(k), (k,k,k), (0,2k,0), (0,0,2k): diameter floor(3k / 2)
/// in any order of the dimensions. The first extent varies fastest; links of dimension i are of
/// class "x", "y", "z" and go up, then down. Throws InvalidInput. Source: Camara et al., "Twisted
/// Torus Topologies for Enhanced Interconnection Networks", TPDS 21(12), 2010; Camarero, Martinez,
/// Beivide, "Lattice Graphs for High-Scale Interconnection Topologies", TPDS 26(9), 2015.
Topology twisted_torus(const std::vector<int>& extents);

}  // namespace weft::topology
