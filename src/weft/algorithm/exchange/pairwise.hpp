// Algorithms in which every two ranks exchange directly: pairwise, shift, spread.
#pragma once

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// N - 1 steps; in step t = 1 .. N-1 rank r exchanges with r xor t when N is a power of two, else
/// sends to r + t and receives from r - t.
schedule::Schedule pairwise_alltoall(std::int32_t ranks);
/// The same partners; each receives the sender's own block.
schedule::Schedule pairwise_allgather(std::int32_t ranks);

/// N - 1 steps; in step t rank r sends to r + t, whatever N is.
schedule::Schedule shift_alltoall(std::int32_t ranks);

/// One step in which everyone sends to everyone.
schedule::Schedule spread_alltoall(std::int32_t ranks);
schedule::Schedule spread_allgather(std::int32_t ranks);

}  // namespace weft::algorithm
