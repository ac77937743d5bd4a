// Dimension order, packet by packet.
//
// The first dimension is taken first; half-way round a ring a coin is tossed for each message, else
// one direction would carry more. grid_order.hpp has the channels.
//
// On a grid of which something failed a packet that enters a dimension takes the other way round a
// ring where a link of its own is missing. Where neither way of some dimension is whole, or there
// is no other, it takes no dimension order but from its source on a shortest path in what is left,
// on a channel of its own for each link of it, above those of dimension order: so it climbs on.
#include <optional>

#include "weft/base/error.hpp"
#include "weft/network/routing/dealt_distances.hpp"
#include "weft/network/routing/grid/grid_order.hpp"
#include "weft/network/routing/makers.hpp"

namespace weft::network {

namespace {

class DimensionOrderHops final : public GridOrder {
 public:
  explicit DimensionOrderHops(const HopContext& context)
      : GridOrder(context, "dimension-order", topology::Damage::allowed) {
    if (damaged()) around_.emplace(context.wiring, "dimension-order");
  }

  int vcs() const override { return classes() + (around_ ? around_->longest() : 0); }

  bool draws_by_message() const override { return true; }

  /// phase: 2 * (dimension + 1) + direction, or kAround.
  Choice choose(PacketState& packet, const QueueView& /*queues*/) override {
    if (packet.phase == kAround) return around(packet);
    if (around_ && packet.routers == 0 && !has_way(packet)) {
      packet.phase = kAround;
      return around(packet);
    }
    const std::int32_t d = first_open(packet);
    if (packet.phase / 2 != d + 1) {
      const std::int32_t from = coordinate(packet.node, d);
      const std::int32_t to = coordinate(packet.router, d);
      bool up = upwards(d, from, to) &&
                !(grid_->extent(d) > 2 && half_way(d, from, to) && tails(packet, d));
      if (around_ && !grid_->leads(whole(packet.node), d, to, up)) up = !up;
      packet.phase = static_cast<std::uint8_t>(2 * (d + 1) + (up ? 1 : 0));
    }
    return along(packet, d, packet.phase % 2 != 0);
  }

 private:
  static constexpr std::uint8_t kAround = 255;

  bool is_of_grid(std::int32_t node) const { return whole(node) < grid_->nodes(); }
  // Whether every dimension has a way left to the destination.
  bool has_way(const PacketState& packet) const {
    if (!is_of_grid(packet.node) || !is_of_grid(packet.router)) return false;
    std::int64_t at = whole(packet.node);
    for (std::size_t d = 0; d < grid_->dimensions(); ++d) {
      const std::int32_t from = grid_->coordinate(at, d), to = coordinate(packet.router, d);
      if (from == to) continue;
      const bool up = to > from;
      if (!grid_->leads(at, d, to, up) && !(is_torus() && grid_->leads(at, d, to, !up)))
        return false;
      at = grid_->moved(at, d, to);
    }
    return true;
  }
  Choice around(const PacketState& packet) const {
    const std::int32_t next = around_->next(packet.node, packet.router, packet.destination);
    require(next != kNone,
            "node {} cannot be reached from node {}; use a connected network, or limit --hosts "
            "to one connected part",
            packet.destination, packet.source);
    return {next, classes() + packet.routers};
  }

  // A toss for each dimension, of eight: grids of more have so few nodes in each that ties repeat
  // no harm.
  static bool tails(const PacketState& packet, std::int32_t d) {
    return (packet.coin >> (d % 8) & 1) != 0;
  }

  std::optional<DealtDistances> around_;  // holes
};

}  // namespace

std::unique_ptr<HopRouting> make_dimension_order_hops(const HopContext& context) {
  return std::make_unique<DimensionOrderHops>(context);
}

}  // namespace weft::network
