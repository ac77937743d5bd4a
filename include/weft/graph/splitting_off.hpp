// Splitting off: a network without the nodes that only pass things on.
//
// An arc from u into such a node w and one out of it to t are split off together: so much of both
// becomes an arc from u to t, which remembers that it leads through w. Where as much
// enters each such node as leaves it, all of it can be split off such that every set of nodes with
// a goal is still entered by as much as trees lack there, so that as many trees fit
// (tree_packing.hpp), and their arcs are ways of the network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/graph/tree_packing.hpp"

namespace weft::graph {

/// Arcs that follow each other; no node comes twice.
struct WeightedPath {
  std::int64_t capacity = 0;
  std::vector<std::int32_t> arcs;
};

/// What joins two of the nodes that are left.
struct WayBundle {
  std::int32_t tail = 0, head = 0;
  std::vector<WeightedPath> ways;  // none of capacity 0

  std::int64_t capacity() const;
};

struct SplitNetwork {
  std::vector<WayBundle> bundles;  // by tail, then head
  std::vector<TreeRoot> roots;     // with as many trees as fit now
  /// Into how many units of these capacities one of the network's was cut. Above 1 where less
  /// enters some node than leaves it, or more, and so many trees no longer fit as fitted before:
  /// roots have fewer trees than so many times those before.
  std::int64_t finer = 1;
};

/// Splits off all nodes that are not kept, each on its own: evenly over the pairs of its arcs, so
/// that ways between kept nodes are many and trees are shallow, as far as cuts allow. Kept are all
/// goals and roots at least. Precondition: the trees fit. A few rounds of cuts (overfull_cut) for
/// each node, where evenness does not serve one for each pair of its arcs. Source: Bang-Jensen,
/// Frank, Jackson, "Preserving and increasing local edge-connectivity in mixed graphs", SIAM J.
/// Discrete Math. 8, 1995.
SplitNetwork split_off(std::int32_t nodes, std::span<const CapacityArc> arcs,
                       std::span<const TreeRoot> roots, std::span<const std::int32_t> goals,
                       const std::vector<char>& kept);

}  // namespace weft::graph
