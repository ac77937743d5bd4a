// De Bruijn digraphs.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// B(degree, diameter): degree^diameter nodes, links u -> (degree u + j) mod n for j =
/// 0..degree-1, one-way; the nodes of one repeated digit carry a self-loop, which is kept. degree
/// >= 2, diameter >= 1. Throws InvalidInput. Source: de Bruijn, "A Combinatorial Problem", Proc.
/// KNAW 49, 1946.
Topology debruijn(int degree, int diameter);

}  // namespace weft::topology
