// Diamond.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Eight nodes of in- and out-degree 2 with diameter 3, one-way, not isomorphic to its transpose.
/// Its allgather takes 3 steps at T_B = 7/8, both optimal, though no breadth-first schedule does.
/// The paper's drawing is lost. Among the 256 digraphs (up to isomorphism) of this size, degree and
/// diameter without loops or double links, only this one and its transpose have the throughput that
/// the paper's Table 7 prints (3/20 units a pair); both have such a schedule, so that one of them
/// is Diamond. Source: Zhao et al., Table 9 and Figure 19.
Topology diamond();

}  // namespace weft::topology
