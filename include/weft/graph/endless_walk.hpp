// Whether a walk can go on for ever while it keeps out of some nodes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/graph/rows.hpp"

namespace weft::graph {

/// Searches one graph, given as the heads of each node's arcs; keeps its memory between them.
class EndlessWalk {
 public:
  /// Keeps a reference to the heads.
  explicit EndlessWalk(const Rows<std::int32_t>& heads) : heads_(heads) {}

  /// From `start` through nodes that are not avoided(node); the start is not asked. O(arcs).
  template <class Avoided>
  bool exists(std::int32_t start, const Avoided& avoided) {
    WEFT_ASSERT(start >= 0 && start < heads_.size());
    // Depth first: a node met again on the way closes a cycle.
    state_.assign(heads_.size(), kNew);
    way_.assign(1, {start, 0});
    state_[start] = kOnWay;
    while (!way_.empty()) {
      auto& [node, next] = way_.back();
      if (next == heads_.length(node)) {
        state_[node] = kDead;
        way_.pop_back();
        continue;
      }
      const std::int32_t head = heads_[node][next++];
      if (state_[head] == kOnWay) return true;
      if (state_[head] == kDead || avoided(head)) continue;
      state_[head] = kOnWay;
      way_.emplace_back(head, 0);
    }
    return false;
  }

 private:
  enum State : std::uint8_t { kNew, kOnWay, kDead };

  const Rows<std::int32_t>& heads_;
  std::vector<State> state_;
  std::vector<std::pair<std::int32_t, std::int32_t>> way_;  // nodes, and the arc to try next
};

}  // namespace weft::graph
