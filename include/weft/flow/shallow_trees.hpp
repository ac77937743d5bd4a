// Shallow trees: trees of few links from their root to any rank, at the lowest T_B that a search
// finds for that depth: the ground between a broadcast over shortest ways and the optimum's trees.
//
//   const ShallowTrees trees = shallow_trees(fabric, {.trees = {.places = nodes}, .depth = 4});
//   // trees.count trees of each root; a branch's depth is the step in which its arc is taken
//
// What leads through switches counts as one link, from rank to rank, and may take any of the
// shortest ways, with few places longer ones too. A place need not pass on at once: it may wait for
// a step in which links are free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/flow/rank_trees.hpp"

namespace weft::flow {

/// Whether all trees between few places, over longer ways behind switches too, are weighed where
/// the search falls short, which takes seconds.
enum class Weighing : std::uint8_t { where_short, none };

struct ShallowQuestion {
  RankTreesQuestion trees;    // most_trees: of each root, 1 or more; no goal
  std::int32_t depth = 1;     // links from root to rank at most, and steps of a segment
  std::int64_t segments = 1;  // that follow each other by a step: T_B is looked for in so many
  std::uint64_t seed = 1;
  Weighing weighing = Weighing::where_short;
};

struct ShallowTrees : PlacedTrees {
  std::int64_t count = 1;  // trees of each root, each as large as any
};

/// The ranks that are farthest apart, one of them a root.
struct FarthestRanks {
  std::int32_t from = 0, to = 0;  // ranks, in the direction of the data
  std::int32_t links = 0;         // between them
};

/// The least depth that trees of the question's roots can have. Precondition: no misfit
/// (rank_trees_misfit). O(roots * ways).
FarthestRanks least_depth(const Fabric& fabric, const RankTreesQuestion& question);

/// Trees of at most that depth, no worse the greater it is: up to 48 of each root, of a single root
/// 96, and fewer where ranks are many; up to 1,000 where places are few (ten), whose trees are all
/// weighed. Behind switches ways between these may be longer than the shortest. Throws InvalidInput
/// with the reason of rank_trees_misfit(), and for a depth below the least, which names two ranks.
/// Deterministic by the seed. Up to a hundred times O(trees * places * ways into a place * depth)
/// for each depth, up to the least and eight more, as long as T_B is not the optimum.
ShallowTrees shallow_trees(const Fabric& fabric, const ShallowQuestion& question);

}  // namespace weft::flow
