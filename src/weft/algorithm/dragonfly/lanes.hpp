// Broadcasts of large buffers on a Dragonfly: the buffer in lanes, each over links of its own.
#pragma once

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// A broadcast by a scatter in one group, a tree over the groups for each lane, and an allgather
/// within every group: about 2 M/B for any number of ranks, g' - 1 times M over global links, g'
/// the groups that hold ranks. Any placement and root. Throws InvalidInput for networks that are no
/// Dragonfly and a root that is no rank. O(links + messages), of which there are at most the sum
/// over groups of (ranks)^2, and lanes x g'.
schedule::Schedule dragonfly_lanes(const network::Network& network, schedule::Rank root);

/// Two binary trees over the ranks in the order of groups and routers, from the root on, each with
/// half of every segment (double_binary_tree.hpp): subtrees are neighbours, so that few of their
/// edges cross global links. Throws InvalidInput as dragonfly_lanes does, and below one segment.
schedule::Schedule dragonfly_two_trees(const network::Network& network, schedule::Rank root,
                                       std::int64_t segments);

}  // namespace weft::algorithm
