// Tree packing: spanning trees from many roots at once, within the capacities of arcs.
//
// A tree that is taken m times loads each of its arcs with m. Trees from all roots, count[r] from
// root r, fit if and only if as many units reach every node from the roots together as there are
// trees (Edmonds, for one root; the roots hang on a source for many).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/graph/branchings.hpp"

namespace weft::graph {

struct CapacityArc {
  std::int32_t tail = 0, head = 0;  // not the same
  std::int64_t capacity = 0;        // >= 0

  friend bool operator==(const CapacityArc&, const CapacityArc&) = default;
};

/// So many trees from a node. Several may name one node.
struct TreeRoot {
  std::int32_t node = 0;
  std::int64_t trees = 1;  // >= 0

  friend bool operator==(const TreeRoot&, const TreeRoot&) = default;
};

struct PackedTree {
  std::int32_t root = 0;          // its place among the roots
  std::int64_t multiplicity = 1;  // how many times it is taken, > 0
  Branching branches;             // arcs are places among the arcs
};

/// All the trees of each root, shallow by preference, in the order of roots; nothing where they do
/// not fit. Time does not grow with the number of trees that are alike: one small flow for each
/// node of each tree that differs, as a rule found at once beside what flowed before. Source:
/// Edmonds, "Edge-disjoint branchings", 1973; Berczi, Frank, "Packing arborescences", RIMS
/// Kokyuroku Bessatsu B23, 2010 (many roots, multiplicities).
std::vector<PackedTree> pack_trees(std::int32_t nodes, std::span<const CapacityArc> arcs,
                                   std::span<const TreeRoot> roots);

}  // namespace weft::graph
