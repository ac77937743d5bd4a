// Moved trees: trees of a few roots behind switches that the shifts of hosts move to all others.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/flow/trees/carrier.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::flow {

/// For how long they are looked for: up to a second, or up to some minutes.
enum class MovingEffort : std::uint8_t { little, much };

/// The trees of a rate for every root, as many from each place, within the arcs of the rate; the
/// arcs' ways lead through switches. Nothing where shifts of hosts (host_shifts.hpp) leave many
/// roots apart, and where no such trees are found with so much effort. They are shallow: a switch
/// is entered from as near the root as its links allow. O(roots apart * trees * places * arcs), and
/// what the trees of all take.
std::optional<PlacedTrees> moved_trees(const Carrier& carrier, const graph::TreeRate& rate,
                                       graph::Sense sense, MovingEffort effort);

}  // namespace weft::flow
