// Message-combine collectives (Kautz-C): along shortest ways, all for the same next hop together.
#pragma once

#include "weft/schedule/schedule.hpp"
#include "weft/topology/topology.hpp"

namespace weft::algorithm {

/// As many steps as the diameter (the root's eccentricity when rooted; twice the diameter for an
/// allreduce), one message over a link in a step at most. Rank r is node r, or the host of switch r
/// in a network with one host on each switch. On Kautz networks every shortest way is unique; on
/// others that of the breadth-first tree in the order of the links. Serves all but point-to-point.
/// Throws InvalidInput for that, when the ranks are not the nodes, and when a node is out of reach.
/// O(N^2) branches, all-to-all O(N^2 * diameter) stored pieces.
schedule::Schedule message_combine(const topology::Topology& topology,
                                   const schedule::Collective& collective);

}  // namespace weft::algorithm
