// Bruck's algorithms: few steps, for small messages.
#pragma once

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// ceil(log_radix N) steps of up to radix - 1 messages a rank. Throws InvalidInput for a radix
/// below 2.
schedule::Schedule bruck_allgather(std::int32_t ranks, int radix = 2);
/// ceil(log_radix N) steps of up to radix - 1 messages a rank; blocks are forwarded, each once for
/// every non-zero digit of the distance that it travels.
schedule::Schedule bruck_alltoall(std::int32_t ranks, int radix = 2);

}  // namespace weft::algorithm
