// Dimension order, packet by packet.
//
// The first dimension is taken first; half-way round a ring a coin is tossed for each message, else
// one direction would carry more. grid_order.hpp has the channels.
//
// On a grid of which something failed a packet that enters a dimension takes the other way round a
// ring where a link of its own is missing. Where neither way is whole, or there is no other, it
// leaves dimension order for good and goes by the shortest path in what is left, on a channel of
// its own for each link of it, above those of dimension order: so it climbs on.
#include <optional>

#include "weft/base/error.hpp"
#include "weft/network/routing/grid/grid_order.hpp"
#include "weft/network/routing/makers.hpp"
#include "weft/network/routing/shortest_table.hpp"

namespace weft::network {

namespace {

class DimensionOrderHops final : public GridOrder {
 public:
  explicit DimensionOrderHops(const HopContext& context)
      : GridOrder(context, "dimension-order", topology::Damage::allowed) {
    if (damaged()) around_ = ShortestTable(context.wiring, "dimension-order");
  }

  int vcs() const override { return classes() + (around_ ? around_->longest() : 0); }

  bool draws_by_message() const override { return true; }

  /// phase: 2 * (dimension + 1) + direction, or kAround.
  Choice choose(PacketState& packet, const QueueView& /*queues*/) override {
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

}  // namespace

std::unique_ptr<HopRouting> make_dimension_order_hops(const HopContext& context) {
  return std::make_unique<DimensionOrderHops>(context);
}

}  // namespace weft::network
