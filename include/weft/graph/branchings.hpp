// Branchings: spanning trees that lead from one root to every node.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/graph/rows.hpp"

namespace weft::graph {

/// How a node hangs on a branching: by which arc from which parent, so many arcs below the root's
/// own, which are at depth 0. The root is its own parent at depth -1, its arc means nothing.
struct Branch {
  std::int32_t parent = 0, arc = 0, depth = -1;

  friend bool operator==(const Branch&, const Branch&) = default;
};

/// By node.
using Branching = std::vector<Branch>;

/// As many branchings that share no arc as there can be: the least number of arc-disjoint ways from
/// the root to any node (Edmonds). Shallow by preference. Arcs are places in heads.values(), those
/// that leave a node its row. None where a node is out of reach or is the only one.
/// O(branchings * arcs * branchings * arcs) at worst, far less as a rule: a second or two for 272
/// nodes with 16 arcs each. Source: Edmonds, "Edge-disjoint branchings", Combinatorial Algorithms,
/// 1973.
std::vector<Branching> disjoint_branchings(const Rows<std::int32_t>& heads, std::int32_t root);

}  // namespace weft::graph
