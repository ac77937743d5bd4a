// SpectralFly networks: the graphs of Lubotzky, Phillips and Sarnak.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// The Ramanujan graph X(p, q) of two odd primes p != q, q > 2 sqrt(p): degree p + 1, simple and
/// connected. Where p is a square modulo q it has q (q^2 - 1) / 2 nodes, else q (q^2 - 1), and is
/// bipartite. All eigenvalues but p + 1 (and -p - 1) are at most 2 sqrt(p) in size. Throws
/// InvalidInput. O(links).
///
/// Source: Lubotzky, Phillips, Sarnak, "Ramanujan graphs", Combinatorica 8, 1988, for p = 1 modulo
/// 4; Davidoff, Sarnak, Valette, "Elementary Number Theory, Group Theory, and Ramanujan Graphs",
/// 2003, chapter 4, for all; as a network Young, Aksoy, Firoz, Gioiosa, Hagge, Kempton, Escobedo,
/// Raugas, "SpectralFly: Ramanujan Graphs as Flexible and Efficient Interconnection Networks",
/// IPDPS 2022.
Topology spectralfly(int p, int q);

}  // namespace weft::topology
