// Flows of least cost between two nodes, from nothing up to the maximum.
//
//   MinCostFlow flow(nodes, arcs);
//   while (flow.augment(from, to)) visit(flow.value(), flow.flow(arc));
//
// A cost is two numbers, the second of which decides where the first ties: with the arcs of a way
// as the second, ways are short and no circle costs nothing even where all costs are 0, so that no
// flow has a circle.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::graph {

struct FlowCost {
  std::int64_t first = 0, second = 0;

  FlowCost operator+(const FlowCost& o) const { return {first + o.first, second + o.second}; }
  FlowCost operator-(const FlowCost& o) const { return {first - o.first, second - o.second}; }
  friend auto operator<=>(const FlowCost&, const FlowCost&) = default;
};

struct CostArc {
  std::int32_t tail = 0, head = 0;
  std::int64_t capacity = 0;  // >= 0
  FlowCost cost;              // not negative, below a quarter of 2^63 along any way
};

/// Successive shortest ways. Each round sends what fits along a shortest way of the residual graph,
/// where an arc that carries flow may also be walked back at minus its cost; potentials keep costs
/// from being negative, so that Dijkstra's algorithm finds the way. Source: Ford, Fulkerson, "Flows
/// in Networks", 1962, III.3; Edmonds, Karp, "Theoretical Improvements in Algorithmic Efficiency
/// for Network Flow Problems", J. ACM 19(2), 1972 (potentials).
class MinCostFlow {
 public:
  /// Nodes are 0 .. nodes - 1; arcs stand in the order of their tails and are numbered by their
  /// places. O(nodes + arcs).
  MinCostFlow(std::int32_t nodes, std::vector<CostArc> arcs);

  /// Sends as much as fits along a shortest way; false when no more fits. All calls have the same
  /// ends. What flows is then a flow of its value of least cost. O(arcs log nodes).
  bool augment(std::int32_t source, std::int32_t sink);

  /// From the source to the sink.
  std::int64_t value() const { return value_; }
  std::int64_t flow(std::int32_t arc) const { return flow_[arc]; }
  std::span<const std::int64_t> flows() const { return flow_; }

 private:
  struct Step {
    std::int32_t arc = 0;
    bool back = false;
  };

  static constexpr std::int32_t kNone = -1;
  // An arc that flow has reached, and the next of those with its head, ascending.
  struct Used {
    std::int32_t arc = 0;
    std::int32_t next = kNone;
  };

  bool search(std::int32_t source, std::int32_t sink);
  void push(std::int32_t source, std::int32_t sink);
  void use(std::int32_t arc);

  std::vector<CostArc> arcs_;
  std::vector<std::int32_t> first_out_;   // by node, and one more: of its arcs in arcs_
  std::vector<Used> used_;                // few: what can be walked back
  std::vector<std::int32_t> first_used_;  // by head
  std::vector<std::int64_t> flow_;        // by arc
  std::int64_t value_ = 0;
  std::vector<FlowCost> potential_;  // by node
  std::vector<FlowCost> length_;     // by node, of the last search
  std::vector<Step> came_by_;        // by node
};

}  // namespace weft::graph
