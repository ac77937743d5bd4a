// Routings of grids: dimension order, and minimal adaptive with an escape.
//
// Dimension order takes the first dimension first; half-way round a ring a coin is tossed for each
// message, else one direction would carry more. The links of a ring wait for each other in a cycle,
// which dateline classes break: channel 1 as long as the packet has the ring's last link (from k -
// 1 to 0, or back) before it, channel 0 from there on. Hamming networks and meshes need no classes.
//
// On a grid of which something failed a packet that enters a dimension takes the other way round a
// ring where a link of its own is missing. Where neither way is whole, or there is no other, it
// leaves dimension order for good and goes by the shortest path in what is left, on a channel of
// its own for each link of it, above those of dimension order: so it climbs on.
//
// Minimal adaptive takes, of all links that bring the packet nearer, the one with the least backlog
// whose adaptive channel has room for it at once. Where none has it asks for the channel of
// dimension order, here always upwards half-way, and waits for that: the escape. So packets wait
// for escape channels only, and these in no cycle, whatever the packets hold besides: every step
// that brings a packet nearer keeps it at the same place or further in their order. Under wormhole
// switching room means an empty channel, since flits of two packets in one buffer would wait for
// each other's escapes. Channels beyond those needed are adaptive ones.
// Sources: Dally, Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection
// Networks", IEEE ToC C-36(5), 1987; Duato, "A New Theory of Deadlock-Free Adaptive Routing in
// Wormhole Networks", IEEE TPDS 4(12), 1993.
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/grid.hpp"
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/routing/shortest_table.hpp"

namespace weft::simulation::packet {

namespace {

/// Dimension order and its channels.
class GridOrder : public ByHops {
 public:
  GridOrder(const RoutingContext& context, const char* name,
            topology::Damage damage = topology::Damage::none)
      : grid_(network::Grid::of(context.wiring.topology, damage)), random_(context.seed) {
    const Wiring& wiring = context.wiring;
    require(grid_ != nullptr,
            "routing {} needs a torus, mesh, Hamming or HyperX network ({} is none); use "
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

 protected:
  bool is_torus() const { return grid_->shape() == network::GridShape::torus; }
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

  std::shared_ptr<const network::Grid> grid_;
  Rng random_;

 private:
  /// The number of the parallel link to take: destinations share them as on the network's paths
  /// (network/routing/dimension_order.cpp).
  std::int32_t spread_of(const PacketState& packet) const {
    if (place_.empty()) return packet.destination;
    return place_[packet.destination] + grid_->offsets(router_[packet.source], packet.router);
  }

  std::vector<std::int32_t> whole_;  // by node; empty of a whole grid
  // Of a whole grid with parallel links; by node.
  std::vector<std::int32_t> router_, place_;  // a host's switch, and its number there
};

class DimensionOrder : public GridOrder {
 public:
  static constexpr bool kDrawsByMessage = true;

  explicit DimensionOrder(const RoutingContext& context)
      : GridOrder(context, "dimension-order", topology::Damage::allowed) {
    if (damaged()) around_ = ShortestTable(context.wiring, "dimension-order");
  }

  int vcs() const { return classes() + (around_ ? around_->longest() : 0); }

  /// phase: 2 * (dimension + 1) + direction, or kAround.
  Choice choose(PacketState& packet, const QueueView&) {
    if (packet.phase == kAround) return around(packet);
    if (around_ && !(is_of_grid(packet.node) && is_of_grid(packet.router))) return leave(packet);
    const std::int32_t d = first_open(packet);
    if (packet.phase / 2 != d + 1) {
      const std::int32_t from = coordinate(packet.node, d);
      const std::int32_t to = coordinate(packet.router, d);
      bool up = upwards(d, from, to) &&
                !(grid_->extent(d) > 2 && half_way(d, from, to) && tails(packet, d));
      if (around_ && !leads(packet, d, up)) {
        up = !up;
        if (!is_torus() || !leads(packet, d, up)) return leave(packet);
      }
      packet.phase = static_cast<std::uint8_t>(2 * (d + 1) + (up ? 1 : 0));
    }
    return along(packet, d, packet.phase % 2 != 0);
  }

 private:
  static constexpr std::uint8_t kAround = 255;

  bool is_of_grid(std::int32_t node) const { return whole(node) < grid_->nodes(); }
  bool leads(const PacketState& packet, std::int32_t d, bool up) const {
    return grid_->leads(whole(packet.node), d, coordinate(packet.router, d), up);
  }
  Choice leave(PacketState& packet) const {
    packet.phase = kAround;
    packet.via = packet.routers;
    return around(packet);
  }
  Choice around(const PacketState& packet) const {
    const std::int32_t next = around_->next(packet.node, packet.router);
    require(next != kNone,
            "node {} cannot be reached from node {}; use a connected network, or the hosts of one "
            "part by --hosts",
            packet.destination, packet.source);
    return {next, classes() + packet.routers - packet.via};
  }

  // A toss for each dimension, of eight: grids of more have so few nodes in each that ties repeat
  // no harm.
  static bool tails(const PacketState& packet, std::int32_t d) {
    return (packet.coin >> (d % 8) & 1) != 0;
  }

  std::optional<ShortestTable> around_;  // holes
};

class MinimalAdaptive : public GridOrder {
 public:
  static constexpr bool kLooksForRoom = true;

  explicit MinimalAdaptive(const RoutingContext& context)
      : GridOrder(context, "minimal-adaptive"), channels_(std::max(vcs(), context.vcs)) {}

  int vcs() const { return classes() + 1; }
  bool looks_at_queues(const PacketState&) const { return true; }
  std::int32_t likely(const PacketState& packet) const {
    return packet.node == packet.router ? kNone : escape(packet).link;
  }

  Choice choose(PacketState& packet, const QueueView& queues) {
    Best best;
    for (std::int32_t d = 0; d < static_cast<std::int32_t>(grid_->dimensions()); ++d) {
      const std::int32_t from = coordinate(packet.node, d);
      const std::int32_t to = coordinate(packet.router, d);
      if (from == to) continue;
      const bool up = upwards(d, from, to);
      try_links(links(packet, d, up), queues, best);
      if (grid_->extent(d) > 2 && half_way(d, from, to))
        try_links(links(packet, d, !up), queues, best);
    }
    return best.choice.link == kNone ? escape(packet) : best.choice;
  }

 private:
  struct Best {
    Choice choice{kNone, 0};
    Time backlog = 0;
    std::uint32_t alike = 0;  // links with that backlog
  };

  /// Equals are drawn from.
  void try_links(std::span<const LinkId> links, const QueueView& queues, Best& best) {
    for (const LinkId id : links) {
      const std::int32_t link = id.value();
      const Time backlog = queues.backlog(link);
      if (best.choice.link != kNone && backlog > best.backlog) continue;
      const std::int32_t vc = adaptive_channel(link, queues);
      if (vc == kNone) continue;
      const bool better = best.choice.link == kNone || backlog < best.backlog;
      best.alike = better ? 1 : best.alike + 1;
      if (better || ((random_.next() >> 32) * best.alike) >> 32 == 0) {
        best.choice = {link, vc};
        best.backlog = backlog;
      }
    }
  }
  std::int32_t adaptive_channel(std::int32_t link, const QueueView& queues) const {
    for (std::int32_t vc = classes(); vc < channels_; ++vc)
      if (queues.has_room(link, vc)) return vc;
    return kNone;
  }
  Choice escape(const PacketState& packet) const {
    const std::int32_t d = first_open(packet);
    return along(packet, d, upwards(d, coordinate(packet.node, d), coordinate(packet.router, d)));
  }

  std::int32_t channels_;
};

}  // namespace

WEFT_PACKET_ENGINE(make_dimension_order_engine, DimensionOrder)
WEFT_PACKET_ENGINE(make_minimal_adaptive_engine, MinimalAdaptive)

}  // namespace weft::simulation::packet
