// As many trees of each rank as reach the optimum, or come nearest to it: deep ones, for many
// segments.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm::trees {

/// Schedules in one segment, up to so many trees of each rank, of which one or another is the best
/// in many: of one symmetry where the network's group moves them; an allreduce in halves and, where
/// these wait for different links, with shares of its own; rooted collectives over a few shallow
/// trees too. One or more. Throws InvalidInput where ranks do not reach each other.
std::vector<Schedule> over_deep_trees(const Network& network,
                                      const schedule::Collective& collective,
                                      std::int64_t most_trees);

/// One of these alone: no shares of its own of an allreduce, no symmetry, no shallow trees.
Schedule over_few_deep_trees(const Network& network, const schedule::Collective& collective,
                             std::int64_t most_trees);

}  // namespace weft::algorithm::trees
