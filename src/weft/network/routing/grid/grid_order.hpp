// GridOrder: dimension order and its channels, of which the routings of packets on grids are made.
//
// The links of a ring wait for each other in a cycle, which dateline classes break: channel 1 as
// long as the packet has the ring's last link (from k - 1 to 0, or back) before it, channel 0 from
// there on. Hamming networks and meshes need no classes.
// Source: Dally, Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks",
// IEEE ToC C-36(5), 1987.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/grid.hpp"
#include "weft/network/hop_routing.hpp"

namespace weft::network {

/// Dimension order and its channels.
class GridOrder : public HopRouting {
 protected:
  GridOrder(const HopContext& context, std::string_view name,
            topology::Damage damage = topology::Damage::none)
      : grid_(Grid::of(context.wiring.topology, damage)), random_(context.seed) {
    const Wiring& wiring = context.wiring;
    require(grid_ != nullptr,
            "routing {} needs a torus, mesh, Hamming or HyperX network, and {} is not one; use "
            "shortest-table",
            name, wiring.topology.name());
    if (const auto& holes = wiring.topology.facets().holes)
      for (std::int32_t node = 0; node < wiring.node_count(); ++node)
        whole_.push_back(static_cast<std::int32_t>(holes->whole(node)));
    if (!grid_->has_parallel_links() || damaged()) return;
    router_ = wiring.router;
    std::vector<std::int32_t> hosts(router_.size(), 0);  // by switch, so far
    for (std::size_t node = 0; node < router_.size(); ++node)
      place_.push_back(wiring.leaves[node].up == kNone ? 0 : hosts[router_[node]]++);
  }

  bool is_torus() const { return grid_->shape() == GridShape::torus; }
  /// Whether a node or link of the grid failed.
  bool damaged() const { return !whole_.empty(); }
  /// The node's number in the whole grid.
  std::int32_t whole(std::int32_t node) const { return damaged() ? whole_[node] : node; }
  std::int32_t coordinate(std::int32_t node, std::size_t d) const {
    return grid_->coordinate(whole(node), d);
  }
  std::span<const LinkId> links(const PacketState& packet, std::size_t d, bool up) const {
    return grid_->links(whole(packet.node), d, coordinate(packet.router, d), up);
  }

  int classes() const { return is_torus() ? 2 : 1; }

  bool half_way(std::int32_t d, std::int32_t from, std::int32_t to) const {
    const std::int32_t k = grid_->extent(d);
    return is_torus() && 2 * ((to - from + k) % k) == k;
  }
  /// The nearer direction; upwards half-way.
  bool upwards(std::int32_t d, std::int32_t from, std::int32_t to) const {
    if (!is_torus()) return to > from;
    const std::int32_t k = grid_->extent(d);
    return 2 * ((to - from + k) % k) <= k;
  }
  /// Whether the ring's last link is still to come.
  int dateline(std::int32_t from, std::int32_t to, bool up) const {
    return is_torus() && up != (to > from) ? 1 : 0;
  }
  Choice along(const PacketState& packet, std::int32_t d, bool up) const {
    const std::int32_t from = coordinate(packet.node, d), to = coordinate(packet.router, d);
    const auto parallel = links(packet, d, up);
    const std::size_t spread = parallel.size() == 1 ? 0 : spread_of(packet) % parallel.size();
    return {parallel[spread].value(), dateline(from, to, up)};
  }
  /// The first dimension in which the packet is not at its destination.
  std::int32_t first_open(const PacketState& packet) const {
    std::int32_t d = 0;
    while (coordinate(packet.node, d) == coordinate(packet.router, d)) ++d;
    return d;
  }

  std::shared_ptr<const Grid> grid_;
  Rng random_;

 private:
  /// The number of the parallel link to take: destinations share them as on the network's paths
  /// (dimension_order.cpp).
  std::int32_t spread_of(const PacketState& packet) const {
    if (place_.empty()) return packet.destination;
    return place_[packet.destination] + grid_->offsets(router_[packet.source], packet.router);
  }

  std::vector<std::int32_t> whole_;  // by node; empty of a whole grid
  // Of a whole grid with parallel links; by node.
  std::vector<std::int32_t> router_, place_;  // a host's switch, and its number there
};

}  // namespace weft::network
