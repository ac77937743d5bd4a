// Maximum flows and minimum cuts: what bounds and connectivity are found on.
//
//   MaxFlow graph(3);
//   graph.add_arc(0, 1, 5);
//   graph.add_arc(1, 2, 3);
//   graph.max_flow(0, 2, 100);   // 3; nodes 0 and 1 are on the source's side
//
// For many flows on one graph, forget_flow() between them costs what the last one touched, and a
// flow looks no further than its sink: short flows in a large graph are cheap.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::graph {

/// A directed graph with integer capacities. Flows by blocking flows in layers, O(nodes^2 * arcs)
/// at worst and nearly linear on networks. Source: Dinitz, "Algorithm for Solution of a Problem of
/// Maximum Flow in Networks with Power Estimation", 1970.
class MaxFlow {
 public:
  /// Nodes are 0 .. nodes - 1.
  explicit MaxFlow(std::int32_t nodes);

  /// Capacity >= 0 from tail to head and `back` >= 0 from head to tail. All arcs are added before
  /// the first flow.
  void add_arc(std::int32_t tail, std::int32_t head, std::int64_t capacity, std::int64_t back = 0);

  /// Every flow from now on may end at this node.
  void add_sink(std::int32_t node);

  /// Pushes flow from the source, which is no sink, to the sinks until it is a maximum or reaches
  /// `enough`; returns what it pushed. What an earlier call pushed stays. The sum of the source's
  /// capacities must fit in 63 bits.
  std::int64_t max_flow(std::int32_t source, std::int64_t enough);

  /// The same; `sink` is one of the sinks for this flow.
  std::int64_t max_flow(std::int32_t source, std::int32_t sink, std::int64_t enough);

  /// Takes back all flow. Cost: the arcs that carried any.
  void forget_flow();

  /// After a flow that fell short of `enough`: whether the node can still be reached, so that it is
  /// on the source's side of a minimum cut (of the one with the fewest nodes there).
  bool on_source_side(std::int32_t node) const { return level_[node] != kUnreached; }

 private:
  static constexpr std::int32_t kUnreached = -1;

  struct Arc {
    std::int32_t tail, head;
    std::int64_t capacity, back;
  };
  struct Half {            // one direction of an arc
    std::int32_t head;     // where it leads
    std::int32_t reverse;  // the half of the other direction
    std::int64_t left;     // capacity that is left
  };

  void arrange();
  void forget_layers();
  bool find_layers(std::int32_t source);
  std::int64_t fill_layers(std::int32_t source, std::int64_t most);
  std::int64_t push_path(std::int64_t most);

  std::vector<Arc> added_;              // not yet arranged
  std::vector<std::int32_t> first_;     // by node: its halves are halves_[first_[v], first_[v + 1])
  std::vector<Half> halves_;            // by node that they leave
  std::vector<std::int64_t> capacity_;  // by half
  std::vector<std::uint8_t> is_sink_;   // by node
  std::vector<std::int32_t> level_;     // by node: its layer in the last search
  std::vector<std::int32_t> next_;      // by node of a layer: halves before are of no more use
  std::vector<std::int32_t> queue_;     // nodes that the last search reached
  std::vector<std::int32_t> path_;      // halves from the source on
  std::vector<std::int32_t> disturbed_;  // halves that flow was pushed on
};

}  // namespace weft::graph
