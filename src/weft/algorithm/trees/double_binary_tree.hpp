// Two binary trees at once, each for half of the data.
#pragma once

#include <cstdint>

#include "weft/algorithm/trees/children.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

struct DoubleBinaryTreeOptions {
  std::int64_t segments = 1;  // at least 1
  TreeChildren children = TreeChildren::in_turn;
};

/// Pipelined broadcast. Children in turn: each rank sends at most one message and receives at most
/// one in every step, all segments counted; one segment needs at most 2 ceil(log2 N) steps, each
/// further one 2 more. Together: half as many. Throws InvalidInput below 1 segment.
schedule::Schedule double_binary_tree_broadcast(std::int32_t ranks,
                                                schedule::Rank root = schedule::Rank(0),
                                                const DoubleBinaryTreeOptions& options = {});
/// The transpose.
schedule::Schedule double_binary_tree_reduce(std::int32_t ranks,
                                             schedule::Rank root = schedule::Rank(0),
                                             const DoubleBinaryTreeOptions& options = {});
/// Reduce to rank 0, then broadcast; while the two overlap a rank sends up to one message of each
/// (of children together two).
schedule::Schedule double_binary_tree_allreduce(std::int32_t ranks,
                                                const DoubleBinaryTreeOptions& options = {});

}  // namespace weft::algorithm
