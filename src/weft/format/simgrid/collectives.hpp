// Collectives of SimGrid's traces as messages.
//
// A trace names a collective and its sizes, not how it runs. Here it runs as SMPI's default
// algorithms have it: broadcasts along a binomial tree, reductions and gathers to the root at once,
// allreduce as a reduction to rank 0 and a broadcast, reduce-scatter as a reduction to rank 0 and
// a scatter, allgather, all-to-all and scans all at once, barriers by way of rank 0.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::format::simgrid {

struct CollectiveCall {
  std::string_view kind;  // as the trace names it
  std::int32_t rank = 0, ranks = 1, root = 0;
  /// Bytes that this rank sends to each rank, and receives of each; for collectives of one size,
  /// that of one block.
  std::vector<std::int64_t> sends = {}, receives = {};
};

struct CollectiveMessage {
  std::int32_t peer = 0;
  std::int64_t bytes = 0;
  bool is_send = true;
};
/// Messages that are begun at once, and waited for together.
using CollectiveRound = std::vector<CollectiveMessage>;

/// What the rank does in the collective, round by round.
std::vector<CollectiveRound> rounds_of(const CollectiveCall& call);

/// Bytes of an element of SMPI's predefined type of that number; 0 for a number of none.
std::int64_t bytes_of_type(std::int64_t number);

}  // namespace weft::format::simgrid
