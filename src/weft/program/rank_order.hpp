// Buffers with their blocks in rank order: what is one run of them.
#pragma once

#include <span>

#include "weft/schedule/schedule.hpp"

namespace weft::program {

/// Whether `pieces`, of `units` units together and moved by `element`, are one run of the buffers
/// of `at`. Those are the row of all blocks, so that pieces that touch are a run; in an all-to-all
/// an agent has its send buffer (its own row), its receive buffer (one block from each source, in
/// the sources' order) and, for what it passes on, that row. With several segments within blocks a
/// run stays in one block. O(pieces), and less where they are scattered.
bool is_run_in_rank_order(const schedule::Schedule& schedule, schedule::Agent at,
                          std::span<const schedule::Piece> pieces, std::int64_t units,
                          std::int32_t element);

}  // namespace weft::program
