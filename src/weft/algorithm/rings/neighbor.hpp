// Neighbour exchange: an allgather of pairs that swap left and right in turn.
#pragma once

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// N / 2 steps; precondition: N is even.
schedule::Schedule neighbor_allgather(std::int32_t ranks);

}  // namespace weft::algorithm
