// MULTITREE: spanning trees of all roots that never meet on a link.
#pragma once

#include "weft/schedule/schedule.hpp"
#include "weft/topology/topology.hpp"

namespace weft::algorithm {

/// Every link carries data of one tree only in a step. Allgather and reduce-scatter take as many
/// steps as the trees need, each of one block: T_B = steps * d / N; at least ceil(N (N - 1) /
/// links) steps, which two-dimensional Hamming networks take, and greedy trees may miss. Rank r is
/// node r, or the host of switch r in a network with one host on each switch. Serves all but
/// point-to-point; throws InvalidInput for that, when the ranks are not the nodes, and when a node
/// is out of reach. O(N^2) branches; greedy: O(steps * N * links) time at worst.
schedule::Schedule multitree(const topology::Topology& topology,
                             const schedule::Collective& collective);

}  // namespace weft::algorithm
