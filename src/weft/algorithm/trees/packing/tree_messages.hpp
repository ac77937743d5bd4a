// Packed trees as messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/flow/rank_trees.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm::trees {

/// Trees that lead from their roots (along), or to them; those of a root carry neighbouring parts
/// of the unit line.
struct TreePhase {
  const flow::PlacedTrees& trees;
  graph::Sense sense = graph::Sense::along;
  std::vector<Agent> roots;         // agents, by the trees' roots
  std::vector<std::int64_t> first;  // of the line's parts, likewise: that of its first tree
};

/// A schedule over trees, the line being cut into so many parts, one for each tree of a phase. Two
/// phases have the same roots, to which all trees of the first lead; a root's trees of the second
/// start in the step after that. One message for all that takes one way in a step; explicit routes
/// where a way is no single link that all routings take.
Schedule along_phases(const Network& network, const schedule::Collective& collective,
                      std::span<const TreePhase> phases, std::int64_t parts);

/// The schedule of a collective that packs(), over `count` trees of each of its roots, in the order
/// of these.
Schedule along_trees(const Network& network, const schedule::Collective& collective,
                     const flow::PlacedTrees& packed, std::int64_t count);

}  // namespace weft::algorithm::trees
