// Bunched trees: packed between bunches of hosts, then dealt to these.
#pragma once

#include <optional>

#include "weft/flow/trees/carrier.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::flow {

/// The trees of a rate for every root, within the arcs of the rate, packed on a network with one
/// host in the place of those alike on a switch (bunches.hpp). Nothing where no hosts are alike,
/// and where trees would be lost at switches (splitting_off.hpp). Where a tree comes to a bunch one
/// host sends all that it sends from there, as long as it has room, so that trees are not much
/// deeper than those of bunches. Throws InvalidInput where they would take too much memory.
/// Precondition: the trees fit, and have no goal but all places.
std::optional<PlacedTrees> trees_of_bunches(const Topology& topology, const Carrier& carrier,
                                            const graph::TreeRate& rate, graph::Sense sense);

}  // namespace weft::flow
