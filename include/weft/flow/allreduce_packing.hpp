// Allreduce packing: the trees of both halves of an allreduce that allreduce_trees() proves to fit.
//
//   if (const auto packed = allreduce_packing(fabric, places, allreduce_trees(fabric, {places})))
//     ...  // packed->units units of the buffer, each with a tree in and a tree out
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/flow/allreduce_trees.hpp"
#include "weft/flow/rank_trees.hpp"

namespace weft::flow {

struct AllreducePacking {
  std::int64_t units = 1;           // of the buffer
  std::vector<std::int64_t> roots;  // of these, by place
  PlacedTrees in, out;              // to and from each place as many as it roots; places are alike
  /// Of the link that takes longest with what both halves bring over it.
  Rational time_s_per_B;
};

/// Trees of as many units as make all shares and all that links bring whole, in just the time of
/// allreduce_trees(). Where that would cut a block, the buffer over the number of ranks, into more
/// than `most_of_block`, of up to 4,096 for each block in a little more time. Nothing where equal
/// shares are as good or no better ones are known. Throws as rank_trees() does.
std::optional<AllreducePacking> allreduce_packing(const Fabric& fabric,
                                                  const std::vector<NodeId>& places,
                                                  const AllreduceTrees& trees,
                                                  std::int64_t most_of_block = std::int64_t{1}
                                                                               << 20);

}  // namespace weft::flow
