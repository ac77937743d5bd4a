// Spanning trees from one root that share no link.
#pragma once

#include <vector>

#include "tree_graph.hpp"

namespace weft::algorithm::trees {

/// As many trees that share no link as there can be: the least number of link-disjoint ways from
/// the root to any node (Edmonds). Shallow by preference; a branch's step is its depth, from 0 on.
/// None where a node is out of reach or is the only one. O(trees * arcs * trees * arcs) at worst,
/// far less as a rule: a second or two for kautz:16,2 with 16 trees.
std::vector<Tree> pack_trees(const TreeGraph& graph, std::int32_t root);

}  // namespace weft::algorithm::trees
