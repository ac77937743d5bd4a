// DragonflyMap: which way to go on a Dragonfly, in two look-ups. Paths and packets that choose
// their links go by it alike.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/views.hpp"

namespace weft::network {

/// Routers are the first groups() * a nodes, group by group.
class DragonflyMap {
 public:
  /// O(links + groups^2).
  DragonflyMap(const Topology& topology, const topology::DragonflyView& view);

  std::int32_t groups() const { return groups_; }
  std::int32_t group(std::int32_t router) const { return routers_at_[router].group; }

  struct Global {
    std::int32_t link, gateway, head;  // the router at its tail, and the one at its head
  };
  /// Of the links from a router's group to another those that need the fewest local links, at the
  /// router and at `target` (kAnyRouter: none counts there); of these number `key` modulo their
  /// count, so that the routers of a group share parallel links.
  Global best_global(std::int32_t router, std::int32_t group, std::int32_t target,
                     std::int32_t key) const {
    const std::int32_t pair = this->group(router) * groups_ + group;
    return one_each_ ? globals_[pair] : best_of(pair, router, target, key);
  }
  static constexpr std::int32_t kAnyRouter = -1;

  /// The link between two routers of a group.
  std::int32_t local_link(std::int32_t from, std::int32_t to) const {
    return routers_at_[from].first_link +
           locals_[std::int64_t{from} * routers_ + routers_at_[to].local];
  }

 private:
  // Aligned so that one lies in one cache line.
  struct alignas(16) Router {
    std::int32_t group, local;  // its place in the group
    std::int32_t first_link;
  };

  Global best_of(std::int32_t pair, std::int32_t router, std::int32_t target,
                 std::int32_t key) const;

  std::int32_t groups_ = 0, routers_ = 0;  // routers of a group
  bool one_each_ = false;                  // one global link from each group to each other
  std::vector<Router> routers_at_;         // by router
  std::vector<std::uint16_t> locals_;      // by router and router of its group: out-link from first
  std::vector<std::int32_t> first_global_;
  std::vector<Global> globals_;  // by pair of groups
};

}  // namespace weft::network
