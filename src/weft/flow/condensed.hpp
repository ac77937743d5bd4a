// Condensed: a network with fewer nodes and the same symmetries.
//
// Twins, nodes with the same neighbours over the same capacities, may be exchanged in any way: a
// set of them is one node, coloured by how many there are. A node with a single neighbour goes
// where that goes: it is folded into it, and colours it. Both again and again, until nothing
// changes: of 24,576 hosts behind a clos some hundred nodes are left. An automorphism of what is
// left that keeps colours comes from automorphisms of the network, and each of these leads to one.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "weft/flow/flow_graph.hpp"

namespace weft::flow {

class Condensed {
 public:
  /// O((nodes + arcs) log nodes) each time that something changes.
  explicit Condensed(const FlowGraph& graph);

  /// What is left; `ranks` are colours.
  const FlowGraph& graph() const { return graph_; }

  /// Returns the key of the orbit of a node or an arc of the network. Two keys are equal exactly if
  /// both lie in one orbit. `of_node` and `of_arc` map nodes and arcs of graph() to their orbits.
  using Key = std::pair<std::int64_t, std::int64_t>;
  template <class OfNode>
  Key node_key(Int node, const OfNode& of_node) {
    return key_at(node_of_[node], of_node);
  }
  template <class OfNode, class OfArc>
  Key arc_key(Int arc, const OfNode& of_node, const OfArc& of_arc) {
    if (arc_of_[arc] >= 0) return {-1, of_arc(arc_of_[arc])};
    return key_at(arc_of_[arc], of_node);
  }

 private:
  // A node that was folded, or one of its two arcs.
  struct Folded {
    Int at = 0;             // the node that it was folded into, or -1 - the place of its record
    std::int64_t kind = 0;  // by which it differs from others there
  };
  struct Child {
    Int node = 0, parent = 0;
    std::int64_t kind = 0;
  };

  bool merge_twins();
  bool fold_pendants();
  void contract(const std::vector<Int>& part, Int parts, std::vector<std::int64_t> colours,
                const std::vector<Child>& children);
  std::int64_t number(std::vector<std::int64_t> what);

  template <class OfNode>
  Key key_at(Int at, const OfNode& of_node) {
    if (at >= 0) return {-1, of_node(at)};
    const Folded& folded = folded_[-1 - at];
    const Key parent = key_at(folded.at, of_node);
    return {folded.kind, keys_.emplace(parent, std::ssize(keys_)).first->second};
  }

  FlowGraph graph_;
  std::vector<Int> node_of_, arc_of_;  // by those of the network: of graph_, or -1 - a record
  std::vector<Folded> folded_;
  std::map<std::vector<std::int64_t>, std::int64_t> numbers_;  // of colours and kinds
  std::map<Key, std::int64_t> keys_;  // of nodes that others are folded into
};

/// By node: twins have one number, from 0 in the order of their first. O(arcs log nodes).
std::vector<Int> twins(const FlowGraph& graph);

}  // namespace weft::flow
