// The cut that bounds the trees of a network, and the fewest trees that come to its rate.
#pragma once

#include <vector>

#include "weft/flow/trees/carrier.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::flow {

struct Tightest {
  graph::TreeCut cut;
  graph::TreeRate rate;  // of up to most_trees from each root; none where that is 0
};

/// As many small flows as goals, a few times over. Of trees of all nodes, one rank on each, on a
/// Cayley network whose links are alike, none parallel, O(links): no set of nodes is entered by
/// fewer links than a node is. Precondition: the carrier has no misfit. Source: Mader, "Minimale
/// n-fach kantenzusammenhaengende Graphen", Math. Ann. 191, 1971; for one-way networks Hamidoune,
/// "Sur les atomes d'un graphe oriente", C. R. Acad. Sc. Paris A 284, 1977.
Tightest tightest(const Topology& topology, const Carrier& carrier,
                  const RankTreesQuestion& question);

/// Whether exactly one rank is on every node.
bool one_on_each_node(const Topology& topology, std::vector<NodeId> places);

}  // namespace weft::flow
