// Transport: whole units of classes onto arcs of limited capacity, the max-flow behind a balance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/graph/balance.hpp"

namespace weft::graph {

/// A maximum flow: class i supplies `demand[i]`, arc k takes at most `limit[k]`.
class Transport {
 public:
  /// Spreads each class evenly first, then augments along shortest paths. Usually few paths are
  /// needed; each costs O(arcs of all classes).
  Transport(const LayerClasses& classes, std::vector<std::int64_t> demand,
            std::vector<std::int64_t> limit);

  /// Whether all of every demand is placed.
  bool complete() const { return unplaced_ == 0; }
  /// By entry of LayerClasses::arcs.
  const std::vector<std::int64_t>& flow() const { return flow_; }
  /// Where the flow is not complete: the arcs of a minimum cut, a set too slow for the classes
  /// that must use it alone. By arc.
  const std::vector<char>& cut() const { return reached_; }

 private:
  struct Entry {
    std::int32_t class_index, position;
  };
  void index_entries();
  void spread(std::size_t class_index);
  bool augment(std::size_t class_index);
  std::int32_t reach_slack(std::size_t class_index);
  void visit(std::size_t class_index, std::int32_t through);
  void push(std::size_t class_index, std::int32_t arc);

  const LayerClasses& classes_;
  std::vector<std::int64_t> demand_;  // not yet placed, by class
  std::vector<std::int64_t> slack_;   // by arc
  std::vector<std::int64_t> flow_;    // by entry of LayerClasses::arcs
  std::int64_t unplaced_ = 0;
  std::vector<std::int32_t> first_entry_;  // by arc, and one more
  std::vector<Entry> entries_;             // classes that may use the arc
  // One search: which arcs and classes it reached, and how.
  std::vector<char> reached_, visited_;
  std::vector<std::int32_t>
      reached_by_;                     // entry of LayerClasses::arcs by which the arc was reached
  std::vector<std::int32_t> left_by_;  // by class: its entry whose flow gives way, or -1
  std::vector<std::int32_t> queue_;
};

}  // namespace weft::graph
