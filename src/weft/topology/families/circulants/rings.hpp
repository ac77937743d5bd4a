// Rings laid on each other: parallel ones, and two bidirectional rings in different orders.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// `degree` parallel one-way rings u -> u + 1: degree `degree`, diameter nodes - 1. One of them is
/// uniring:n. degree >= 1, nodes >= 2. Throws InvalidInput. Source: Zhao et al., Table 9.
Topology uniring(int degree, int nodes);

/// `degree` / 2 parallel bidirectional rings; a node's links go up, down, up, down: diameter
/// floor(nodes / 2). One of them is ring:n. Even degree >= 2, nodes >= 3. Throws InvalidInput.
/// Source: Zhao et al., Table 9.
Topology biring(int degree, int nodes);

/// Two bidirectional rings: jumps 1 and shifted_ring_jump(nodes), so that each visits all nodes.
/// Degree 4; a node's links go +1, -1, +jump, -jump. nodes >= 3. Throws InvalidInput. Source: Wang
/// et al., "TopoOpt", NSDI 2023, whose rings have coprime jumps.
Topology shifted_ring(int nodes);

/// The jump of the second ring: of 2 .. nodes / 2 the number coprime to `nodes` that is nearest to
/// its square root (the smaller of two), which keeps the diameter of that order; 1 where there is
/// none (3, 4 and 6 nodes), so that the links are parallel.
int shifted_ring_jump(int nodes);

}  // namespace weft::topology
