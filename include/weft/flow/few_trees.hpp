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

/// So many trees at the greatest rate that so many can have, by a search that keeps them shallow;
/// nothing where it finds none. Throws as rank_trees() does. Precondition: one root, no goal, trees
/// >= 1. Up to 40 times O(trees * places * links log links), fewer where that is much.
std::optional<FewTrees> few_trees(const Fabric& fabric, const RankTreesQuestion& question,
                                  std::int64_t trees);

}  // namespace weft::flow
