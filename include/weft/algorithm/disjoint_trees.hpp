// Broadcasts over spanning trees that share no link, pipelined.
#pragma once

#include "weft/schedule/schedule.hpp"
#include "weft/topology/topology.hpp"

namespace weft::algorithm {

/// Broadcast, reduce and allreduce with the buffer cut into as many parts as trees from the root
/// (against the links towards it for the reduction; from rank 0 for an allreduce) can share no
/// link, k of them, and each part into segments that follow at a distance of one step. A broadcast
/// of s segments over trees of depth D takes D + s - 1 steps, T_B = d / k * (D + s - 1) / s. Rank r
/// is node r, or the host of switch r in a network with one host on each switch. Throws
/// InvalidInput for other collectives, when the ranks are not the nodes, when a node is out of
/// reach, and for less than one segment. O(k arcs) small flows at worst; 0.1 s for kautz:16,2.
schedule::Schedule disjoint_trees(const topology::Topology& topology,
                                  const schedule::Collective& collective,
                                  std::int64_t segments = 1);

}  // namespace weft::algorithm
