// DragonflyMap: which way to go on a Dragonfly, in two look-ups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/simulation/packet/routing.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation::packet {

class DragonflyMap {
 public:
  /// Throws InvalidInput unless the topology is a Dragonfly; `routing` names who asks.
  DragonflyMap(const Wiring& wiring, const char* routing);

  std::int32_t groups() const { return groups_; }
  std::int32_t group(std::int32_t router) const { return group_of_[place(router)]; }

  struct Global {
    std::int32_t link, gateway, head;  // the router at its tail, and the one at its head
  };
  /// The links from one group to another, at least one.
  std::span<const Global> globals(std::int32_t from, std::int32_t to) const {
    const std::size_t pair = place(from) * place(groups_) + place(to);
    return {&globals_[place(first_global_[pair])], &globals_[place(first_global_[pair + 1])]};
  }
  /// The link between two routers of a group.
  std::int32_t local_link(std::int32_t from, std::int32_t to) const {
    return first_link_[place(from)] + locals_[place(from) * place(routers_) + place(to % routers_)];
  }

 private:
  std::int32_t groups_ = 0, routers_ = 0;  // routers of a group
  std::vector<std::int32_t> group_of_;     // by router
  std::vector<std::int32_t> first_link_;   // by router
  std::vector<std::uint16_t> locals_;      // by router and router of its group: out-link from first
  std::vector<std::int32_t> first_global_;
  std::vector<Global> globals_;
};

}  // namespace weft::simulation::packet
