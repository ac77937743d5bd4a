// Schedules of what libraries choose: parts on groups of ranks, put together.
#pragma once

#include <vector>

#include "weft/libraries/library.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::libraries {

/// The ranks of each node, ascending; nodes in the order of their first ranks.
using NodeRanks = std::vector<std::vector<Rank>>;

/// Ranks that share a host are on one node, and so are those of one box of GPUs.
NodeRanks node_ranks(const Network& network);

/// The parts of the choice as one schedule, in as many segments as the choice has. Each part takes
/// as many steps as the longest, so that segments pass through the parts like tasks in a pipeline.
/// Throws InvalidInput where an algorithm of a part does not fit its ranks.
schedule::Schedule schedule_of(const LibraryChoice& choice, const Collective& collective,
                               const NodeRanks& nodes);

}  // namespace weft::libraries
