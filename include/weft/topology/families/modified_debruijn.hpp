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
/// The paper leaves the order round the cycle open. For length >= 3 it is increasing: then (2,4)
/// has the diameter and the throughput of its products in Table 7. With length 2 the cycle visits
/// every node, and most orders double a link; (3,2) and (4,2) follow orders found by search that
/// commute with adding 1 to every digit, not isomorphic to their transposes and with allgathers of
/// the printed 3 steps at T_B = (N-1)/N; (4,2) has the printed throughputs of its line graphs as
/// well. Source: Zhao et al., Table 9 and Figure 20.
Topology modified_debruijn(int degree, int length);

}  // namespace weft::topology
