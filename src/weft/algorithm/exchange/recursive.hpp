// Algorithms that double or halve: recursive doubling, recursive halving, and Rabenseifner's.
//
// Let 2^k be the largest power of two up to N. Where N is larger, N - 2^k ranks are folded onto
// others before and after, which costs two more steps.
#pragma once

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// k steps, or k + 2. The data doubles from step to step: T_B as a ring's where all links are
/// alike.
schedule::Schedule recursive_doubling_allgather(std::int32_t ranks);
/// k steps, or k + 2, of the whole buffer: for small messages. Keeps the order of operands.
schedule::Schedule recursive_doubling_allreduce(std::int32_t ranks);

/// k steps, or k + 2; the transpose of recursive_doubling_allgather.
schedule::Schedule recursive_halving_reduce_scatter(std::int32_t ranks);

/// Recursive halving, then recursive doubling: 2k steps, or 2k + 2. Every core rank sends
/// 2 (2^k - 1) / 2^k of the buffer, every folded rank and its partner one buffer more.
schedule::Schedule rabenseifner_allreduce(std::int32_t ranks);

}  // namespace weft::algorithm
