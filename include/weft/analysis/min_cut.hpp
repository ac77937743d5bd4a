// Maximum flows and minimum cuts of small graphs: what bounds are found on.
//
//   FlowGraph graph(3);
//   graph.add_arc(0, 1, 5);
//   graph.add_arc(1, 2, 3);
//   graph.max_flow(0, 2, 100);   // 3; nodes 0 and 1 are on the source's side
#pragma once

#include <cstdint>
#include <vector>

namespace weft::analysis {

/// A directed graph with integer capacities. Flows by blocking flows in layers, O(nodes^2 * arcs)
/// at worst and nearly linear on networks. Source: Dinitz, "Algorithm for Solution of a Problem of
/// Maximum Flow in Networks with Power Estimation", 1970.
class FlowGraph {
 public:
  explicit FlowGraph(std::int32_t nodes) : out_(static_cast<std::size_t>(nodes)) {}

  /// Capacity >= 0 from tail to head and `back` >= 0 from head to tail.
  void add_arc(std::int32_t tail, std::int32_t head, std::int64_t capacity, std::int64_t back = 0);

  /// Pushes flow until it is a maximum or reaches `enough`; returns it. What an earlier call
  /// pushed stays. The sum of the source's capacities must fit in 63 bits.
  std::int64_t max_flow(std::int32_t source, std::int32_t sink, std::int64_t enough);

  /// After a flow that fell short of `enough`: whether the node can still be reached, so that it is
  /// on the source's side of a minimum cut (of the one with the fewest nodes there).
  bool on_source_side(std::int32_t node) const {
    return level_[static_cast<std::size_t>(node)] != -1;
  }

 private:
  struct Half {
    std::int32_t head;
    std::int64_t left;  // capacity that is left; the reverse is the half next to it (index ^ 1)
  };
  bool find_layers(std::int32_t source, std::int32_t sink);
  std::int64_t push_path(std::int32_t source, std::int32_t sink, std::int64_t most);

  std::vector<Half> halves_;
  std::vector<std::vector<std::int32_t>> out_;  // by node: indices of halves
  std::vector<std::int32_t> level_;             // by node: layer of the last search, -1 not reached
  std::vector<std::size_t> next_;               // by node: halves before are of no more use
  std::vector<std::int32_t> path_;              // halves from the source on
};

}  // namespace weft::analysis
