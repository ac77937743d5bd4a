// Trees over ways between the ranks' nodes.
#pragma once

#include <span>

#include "weft/flow/trees/carrier.hpp"
#include "weft/graph/splitting_off.hpp"

namespace weft::flow {

/// Packs so many trees from the roots over the ways; nodes of trees are places among these nodes,
/// arcs bundles. Throws InvalidInput where they would take too much memory. Precondition: they fit.
std::vector<graph::PackedTree> packed_trees(const Topology& topology,
                                            std::span<const std::int32_t> nodes,
                                            std::span<const graph::WayBundle> bundles,
                                            std::vector<graph::TreeRoot> roots);

/// Packs so many trees from the roots, which are nodes of the carrier; its arcs are those of the
/// ways. Throws InvalidInput where they would take too much memory. Precondition: they fit.
PlacedTrees placed_trees(const Topology& topology, const Carrier& carrier, graph::Sense sense,
                         std::span<const graph::WayBundle> bundles,
                         std::vector<graph::TreeRoot> roots);

}  // namespace weft::flow
