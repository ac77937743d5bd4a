// Star products of a graph with a small one, the supernode, and Paley graphs as supernodes: what
// PolarStar and BundleFly share.
#pragma once

#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// A small graph with a permutation f of its nodes.
struct Supernode {
  struct Edge {
    int from, to;
  };
  int size = 0, degree = 0;
  std::vector<Edge> edges = {};
  std::vector<int> image = {};  // f, by node
};

/// Whether there is a Paley graph of that order: a prime power that is 1 modulo 4.
bool is_paley(int order);

/// The Paley graph: elements of the field of that order, linked where their difference is a square;
/// f multiplies by an element that is none, so that two elements are linked in it or in its image.
Supernode paley_graph(int order);

/// Adds the links of the product: node y of x is x * supernode.size + y. Every node x of `points`
/// becomes a copy of the supernode, linked by class `local`; a cable between x and a higher x'
/// becomes one from each (x, y) to (x', f(y)), of class `global`.
void add_star_product(TopologyBuilder& builder, const Topology& points, const Supernode& supernode,
                      ClassId local, ClassId global);

}  // namespace weft::topology
