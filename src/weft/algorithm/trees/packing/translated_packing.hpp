// A packing of one root's trees on a Cayley network, which its group moves to the others.
#pragma once

#include <optional>

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm::trees {

/// The packing of an allgather or a reduce-scatter, up to so many trees of each rank, with the
/// messages of one rank alone: O(ranks). Nothing where ranks are not the elements of the network's
/// group, or no such trees are found (flow::translated_trees).
std::optional<Schedule> translated_packing(const Network& network,
                                           const schedule::Collective& collective,
                                           std::int64_t most_trees);

}  // namespace weft::algorithm::trees
