// RootedCost: the BFB allgather's price on a network that looks alike from every node.
//
// The links that bring a block from x are the last letters of the shortest words for x, which a
// breadth-first search from the unit, node 0, collects.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/graph/unit_layer.hpp"

namespace weft::search {

/// Memory is kept from search to search.
class RootedCost {
 public:
  /// Nodes are 0 .. nodes - 1, links 0 .. degree - 1 with degree in [1, 16].
  RootedCost(int nodes, int degree) : layer_(degree), level_(nodes), links_(nodes) {}

  /// Steps; 0 when not all nodes are reached, or not within `most` steps. each_next(x, visit) calls
  /// visit(y, link) for each link from x to y. O(nodes * degree).
  template <class EachNext>
  int search(int most, EachNext&& each_next) {
    std::fill(level_.begin(), level_.end(), -1);
    std::fill(links_.begin(), links_.end(), 0U);
    queue_.assign(1, 0);
    level_[0] = 0;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const int x = queue_[next], distance = level_[x] + 1;
      each_next(x, [&](int y, int link) { reach(y, distance, 1U << link); });
      if (level_of(queue_.size() - 1) > most) return 0;
    }
    return queue_.size() < level_.size() ? 0 : level_of(queue_.size() - 1);
  }

  /// Of the last search: the fullest link's load, summed over the steps, in blocks.
  Rational load();

 private:
  int level_of(std::size_t place) const { return level_[queue_[place]]; }

  void reach(int node, int distance, std::uint32_t link) {
    const auto x = static_cast<std::size_t>(node);
    if (level_[x] < 0) {
      level_[x] = distance;
      queue_.push_back(node);
    }
    if (level_[x] == distance) links_[x] |= link;
  }

  graph::UnitLayer layer_;
  std::vector<int> level_, queue_;
  std::vector<std::uint32_t> links_;  // usable last links, by node
};

}  // namespace weft::search
