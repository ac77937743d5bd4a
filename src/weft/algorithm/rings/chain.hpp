// Chain: the ranks in a row, pipelined.
#pragma once

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// Broadcast along root, root + 1, ...: N - 1 steps and one more per further segment. Throws
/// InvalidInput below 1 segment.
schedule::Schedule chain_broadcast(std::int32_t ranks, schedule::Rank root = schedule::Rank(0),
                                   std::int64_t segments = 1);
/// The same chain towards the root.
schedule::Schedule chain_reduce(std::int32_t ranks, schedule::Rank root = schedule::Rank(0),
                                std::int64_t segments = 1);

}  // namespace weft::algorithm
