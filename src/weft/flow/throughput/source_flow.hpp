// One source's flow on an acyclic part of the network, and its move towards cheaper ways.
#pragma once

#include <span>
#include <vector>

#include "weft/flow/orbits.hpp"

namespace weft::flow {

/// The arcs by head: the arcs into node t have the slots first(t) to first(t + 1) - 1. Flow of a
/// source is kept by slot, since every step looks at all ways into a node.
struct Slots {
  explicit Slots(const FlowGraph& graph, const ArcOrbits& orbits);

  Int nodes = 0;
  graph::Rows<Int> arcs;         // into a node; a slot is a place in it
  std::vector<Int> tail, orbit;  // by slot
  std::vector<double> demand;    // by node: of each of its ranks 1

  Int first(Int node) const { return arcs.first(node); }
  Int count() const { return static_cast<Int>(tail.size()); }
};

/// What a step goes by, by slot: the price of a unit of flow, and how much the price grows with it.
struct SlotPrices {
  std::vector<double> price, growth;
};

/// The flow of one source and an order of the nodes, source first, along which all of it runs.
struct SourceFlow {
  Int source = 0;
  std::vector<double> flow;  // by slot
  std::vector<Int> order;    // of nodes
};

/// Split evenly over all shortest ways, on which an arc counts for the largest power of two of it
/// that the fastest arc carries: by number of links where the slowest is more than half as fast.
SourceFlow shortest_ways(const Slots& slots, const FlowGraph& graph, Int source);

/// Workspace of a step; one for each thread.
class FlowStep {
 public:
  explicit FlowStep(const Slots& slots);

  /// Writes the moved flow to `moved` and a new order, valid for the flow before and after, to the
  /// source's own. `growth_scale` multiplies how much prices grow.
  void move(SourceFlow& source, const SlotPrices& prices, double growth_scale,
            std::span<double> moved);

 private:
  struct Label {
    double mean = 0, growth = 0, longest = 0, inflow = 0;
    bool has_way = false;  // from the source, along the order, with flow or without
  };
  struct Place {
    double longest;
    Int old_place, node;
  };

  void label_nodes(const SourceFlow& source, const SlotPrices& prices);
  void reorder(SourceFlow& source);
  Label label_without_flow(Int node, const SlotPrices& prices) const;
  void shift(const SourceFlow& source, const SlotPrices& prices, double growth_scale,
             std::span<double> moved);
  bool is_way(Int node, Int slot) const;
  Int cheapest_way(Int node, const SlotPrices& prices) const;

  const Slots& slots_;
  std::vector<Label> labels_;   // by node
  std::vector<Int> place_;      // by node
  std::vector<double> needed_;  // by node
  std::vector<Place> places_;
};

}  // namespace weft::flow
