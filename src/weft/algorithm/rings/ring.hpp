// Ring algorithms, one-way; ranks form the ring in rank order.
#pragma once

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// Which way data goes round.
enum class RingDirection : std::int8_t { forward = 1, backward = -1 };

/// N - 1 steps of one block to the next rank. T_B = (N-1)/N on a one-way ring.
schedule::Schedule ring_allgather(std::int32_t ranks,
                                  RingDirection direction = RingDirection::forward);
/// N - 1 steps; block b is summed on its way round the ring and ends at rank b.
schedule::Schedule ring_reduce_scatter(std::int32_t ranks,
                                       RingDirection direction = RingDirection::forward);
/// Reduce-scatter, then allgather: 2(N - 1) steps.
schedule::Schedule ring_allreduce(std::int32_t ranks,
                                  RingDirection direction = RingDirection::forward);

}  // namespace weft::algorithm
