// DragonflyMap: which way to go on a Dragonfly, in two look-ups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/simulation/packet/routing/routing.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation::packet {

class DragonflyMap {
 public:
  /// Throws InvalidInput unless the topology is a Dragonfly; `routing` names who asks.
  DragonflyMap(const Wiring& wiring, const char* routing);

  std::int32_t groups() const { return groups_; }
  std::int32_t group(std::int32_t router) const { return routers_at_[place(router)].group; }

  struct Global {
    std::int32_t link, gateway, head;  // the router at its tail, and the one at its head
  };
  /// The links from one group to another, at least one.
  std::span<const Global> globals(std::int32_t from, std::int32_t to) const {
    const std::size_t pair = place(from) * place(groups_) + place(to);
    if (one_each_) return {&globals_[pair], 1};
    return {&globals_[place(first_global_[pair])], &globals_[place(first_global_[pair + 1])]};
  }
  /// The link between two routers of a group.
  std::int32_t local_link(std::int32_t from, std::int32_t to) const {
    return routers_at_[place(from)].first_link +
           locals_[place(from) * place(routers_) + place(routers_at_[place(to)].local)];
  }

 private:
  struct Router {
    std::int32_t group, local;  // its place in the group
    std::int32_t first_link;
  };

  std::int32_t groups_ = 0, routers_ = 0;  // routers of a group
  bool one_each_ = false;                  // one global link from each group to each other
  std::vector<Router> routers_at_;         // by router
  std::vector<std::uint16_t> locals_;      // by router and router of its group: out-link from first
  std::vector<std::int32_t> first_global_;
  std::vector<Global> globals_;  // by pair of groups
};

}  // namespace weft::simulation::packet
