// Ring algorithms that use both directions of every cable at once.
#pragma once

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// floor(N / 2) steps of one block to either neighbour; T_B = (N-1)/N on a two-way ring.
schedule::Schedule bidirectional_ring_allgather(std::int32_t ranks);
/// floor(N / 2) steps.
schedule::Schedule bidirectional_ring_reduce_scatter(std::int32_t ranks);
/// 2 floor(N / 2) steps.
schedule::Schedule bidirectional_ring_allreduce(std::int32_t ranks);

}  // namespace weft::algorithm
