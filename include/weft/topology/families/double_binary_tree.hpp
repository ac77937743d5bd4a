// Two binary trees over the same nodes, the leaves of one being inner nodes of the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// The parents of the two trees; node 0 is the root of both, and its own entries are 0. Tree 0
/// numbers its nodes in order: odd nodes are leaves and every subtree is an interval. Tree 1 is its
/// mirror image on 1..n-1 when n is odd, and the tree shifted down by one when n is even. Every
/// node but 0 has children in one tree at most. nodes >= 1. O(nodes). Source: Sanders, Speck,
/// Traff, "Two-tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan", Parallel
/// Computing 35(12), 2009.
std::array<std::vector<std::int64_t>, 2> double_binary_tree_parents(std::int64_t nodes);

/// A cable for every edge of the two trees, parallel where both have it; tree 0's come first. The
/// degree is 4 at most: a parent in each tree and two children in one. nodes >= 2. Throws
/// InvalidInput.
Topology double_binary_tree(int nodes);

}  // namespace weft::topology
