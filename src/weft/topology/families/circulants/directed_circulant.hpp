// The directed circulant of degree d on d + 2 nodes.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// degree + 2 nodes with one-way links u -> u + 1, ..., u + degree, in this order: every node but
/// the one before it in one step, diameter 2. Its allgather is Moore- and bandwidth-optimal. degree
/// >= 1. Throws InvalidInput. Source: Zhao et al., Table 9.
Topology directed_circulant(int degree);

}  // namespace weft::topology
