// Automorphisms of plain graphs with coloured nodes, by nauty and Traces (McKay and Piperno,
// "Practical graph isomorphism, II", J. Symbolic Computation 60, 2014).
//
// nauty knows simple graphs: who has parallel or weighted arcs gives them nodes of their own
// between their ends, coloured by what they are. It keeps state outside its arguments, so that
// calls from several threads take turns.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::graph {

/// A directed graph whose nodes are added one by one; a node's colour is any number, and an
/// automorphism takes each node to one of its colour. No arc stands twice.
class ColouredGraph {
 public:
  /// Returns its number: they count from 0.
  int add_node(std::int64_t colour) {
    colours_.push_back(colour);
    out_ends_.emplace_back();
    return node_count() - 1;
  }
  void add_arc(int tail, int head) {
    WEFT_ASSERT(tail >= 0 && tail < node_count() && head >= 0 && head < node_count());
    out_ends_[tail].push_back(head);
  }

  int node_count() const { return static_cast<int>(colours_.size()); }
  const std::vector<std::int64_t>& colours() const { return colours_; }
  /// By node, in the order in which the arcs were added.
  const std::vector<std::vector<int>>& out_ends() const { return out_ends_; }

 private:
  std::vector<std::int64_t> colours_;
  std::vector<std::vector<int>> out_ends_;
};

/// Whether the reverse of every arc is an arc too, as the caller knows: such graphs are searched by
/// Traces, which is faster, the others by nauty.
enum class ArcReverses : std::uint8_t { all_there, some_missing };

/// Generators of the group of all automorphisms that keep the colours, each as images by node.
/// Memory: nodes for each of up to nodes - 1 generators.
std::vector<std::vector<int>> automorphism_generators(const ColouredGraph& coloured,
                                                      ArcReverses reverses);

/// By node: the least node to which one of these automorphisms takes it.
std::vector<int> automorphism_orbits(const ColouredGraph& coloured, ArcReverses reverses);

/// Heads by node of a copy of the graph whose nodes are in a canonical order, by colour first: two
/// graphs with the same multiset of colours have the same form just when a bijection that keeps
/// colours takes one to the other.
std::vector<std::vector<int>> canonical_form(const ColouredGraph& coloured);

/// Nodes in a canonical order, by colour first: where two graphs are alike, the nodes at the same
/// place of their orders correspond. Every arc's reverse must be there. By Traces.
std::vector<int> canonical_order(const ColouredGraph& coloured);

}  // namespace weft::graph
