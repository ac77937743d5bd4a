// Breadth-first search from one node or several.
//
//   const BreadthFirst search(nodes, start, [&](std::int32_t at, auto&& reach) {
//     for (const std::int32_t head : heads[at]) reach(head);
//   });
//   if (!search.reached_all()) ...
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::graph {

/// The distance of a node that no search reached.
inline constexpr std::int32_t kUnreached = std::numeric_limits<std::int32_t>::max();

/// Which of the nodes 0 ... nodes - 1 are reached, in how many steps.
class BreadthFirst {
 public:
  /// each_next(node, reach) calls reach(next) for the nodes one step on. O(nodes + steps).
  template <class EachNext>
  BreadthFirst(std::int32_t nodes, std::span<const std::int32_t> starts, EachNext&& each_next)
      : distances_(nodes, kUnreached) {
    const auto reach_at = [&](std::int32_t node, std::int32_t distance) {
      if (distances_[node] != kUnreached) return;
      distances_[node] = distance;
      order_.push_back(node);
    };
    for (const std::int32_t start : starts) reach_at(start, 0);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::int32_t at = order_[i], next = distances_[at] + 1;
      each_next(at, [&](std::int32_t node) { reach_at(node, next); });
    }
  }
  template <class EachNext>
  BreadthFirst(std::int32_t nodes, std::int32_t start, EachNext&& each_next)
      : BreadthFirst(nodes, std::span(&start, 1), each_next) {}

  /// Those reached, nearest first, as near ones in the order found.
  const std::vector<std::int32_t>& order() const& { return order_; }
  std::vector<std::int32_t> order() && { return std::move(order_); }
  /// By node.
  const std::vector<std::int32_t>& distances() const& { return distances_; }
  std::vector<std::int32_t> distances() && { return std::move(distances_); }
  bool reached(std::int32_t node) const {
    WEFT_ASSERT(node >= 0 && node < std::ssize(distances_));
    return distances_[node] != kUnreached;
  }
  bool reached_all() const { return order_.size() == distances_.size(); }

 private:
  std::vector<std::int32_t> distances_, order_;
};

}  // namespace weft::graph
