// MULTITREE's construction: spanning trees that share no link in a step.
#pragma once

#include <vector>

#include "tree_graph.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm::trees {

/// One tree for each root, grown greedily: in every step all links are free, and the trees take
/// turns to add a node over a free link, until none can; trees of shortest ways, unless others take
/// fewer steps. Precondition: every node is within reach. O(steps * roots * arcs) at worst.
std::vector<Tree> grow_in_turns(const TreeGraph& graph, const std::vector<std::int32_t>& roots);

/// The same for all nodes of an m1 x m2 network by a rule, in the least number of steps, ceil((m1
/// m2
/// - 1) / (m1 + m2 - 2)). Precondition: two extents of 2 or more, and the graph is that network.
std::vector<Tree> grow_by_rule(const TreeGraph& graph, const topology::HammingView& hamming);

}  // namespace weft::algorithm::trees
