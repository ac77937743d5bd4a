// Modified de Bruijn digraphs: no self-loops, no 2-cycles.
#pragma once

#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// The de Bruijn digraph debruijn:d,n whose self-loops and 2-cycles are taken out and replaced by
/// one cycle through their d^2 nodes, so that all degrees stay d. Out-links of a node: the kept
/// ones in order, then that of the cycle. Links are one-way. degree >= 2; length >= 3, or length 2
/// with degree 3 or 4. Throws InvalidInput.
///
/// The paper leaves the order round the cycle open. For length >= 3 it is increasing: of the six
/// orders of (2,4) this one and its transpose (up to isomorphism) are the only ones that are not
/// reverse-symmetric, and they have the printed diameter and throughput of the square. With length
/// 2 the cycle visits every node, and most orders double a link; (3,2) and (4,2) follow orders
/// found by search that commute with adding 1 to every digit. They are not reverse-symmetric either
/// and have allgathers of the printed 3 steps at T_B = (N-1)/N; the line graphs of (4,2) have the
/// printed throughputs. Source: Zhao et al., Tables 7 and 9, Figure 20.
Topology modified_debruijn(int degree, int length);

}  // namespace weft::topology
