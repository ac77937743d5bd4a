// Few trees: shallow trees of one root, of a number that is given.
//
//   const auto trees = few_trees(fabric, {.places = nodes, .roots = {0}}, 4);
//
// Where links of hosts bound a broadcast, a chain brings all that they carry, and so do k trees of
// a k-th each, if every host passes on one of them, to k others: about log N / log k links deep.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/flow/rank_trees.hpp"

namespace weft::flow {

struct FewTrees : PlacedTrees {
  Rational optimum_Bps;  // that any number of trees can bring at most: by the tightest cut
  Rational all_Bps;      // that these bring together
};

/// So many trees at the greatest rate that so many, and some to spare, can have, by a search that
/// keeps them shallow; nothing where it finds none. Trees to spare leave room, so that the others
/// are shallower and bring less. Throws as rank_trees() does. Up to 40 times
/// O(trees * places * links log links), fewer where that is much. Precondition: one root, no goal,
/// at least one tree, spare >= 0.
std::optional<FewTrees> few_trees(const Fabric& fabric, const RankTreesQuestion& question,
                                  std::int64_t trees, std::int64_t spare = 0);

}  // namespace weft::flow
