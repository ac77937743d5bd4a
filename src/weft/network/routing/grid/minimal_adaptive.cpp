// Minimal adaptive on grids, with an escape.
//
// A packet takes, of all links that bring it nearer, the one with the least backlog whose adaptive
// channel has room for it at once. Where none has it asks for the channel of dimension order, here
// always upwards half-way, and waits for that: the escape. So packets wait for escape channels
// only, and these in no cycle, whatever the packets hold besides: every step that brings a packet
// nearer keeps it at the same place or further in their order. Under wormhole switching room means
// an empty channel, since flits of two packets in one buffer would wait for each other's escapes.
// Channels beyond those needed are adaptive ones.
// Source: Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks", IEEE TPDS
// 4(12), 1993.
#include <algorithm>

#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/grid/grid_order.hpp"

namespace weft::network {

namespace {

class MinimalAdaptive final : public GridOrder {
 public:
  explicit MinimalAdaptive(const HopContext& context)
      : GridOrder(context, "minimal-adaptive"), channels_(std::max(classes() + 1, context.vcs)) {}

  int vcs() const override { return classes() + 1; }
  bool looks_for_room() const override { return true; }
  bool is_adaptive() const override { return true; }
  std::int32_t likely(const PacketState& packet) const override {
    return packet.node == packet.router ? kNone : escape(packet).link;
  }

  Choice choose(PacketState& packet, const QueueView& queues) override {
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
    std::int64_t backlog = 0;
    std::uint32_t alike = 0;  // links with that backlog
  };

  /// Equals are drawn from.
  void try_links(std::span<const LinkId> links, const QueueView& queues, Best& best) {
    for (const LinkId id : links) {
      const std::int32_t link = id.value();
      const std::int64_t backlog = queues.backlog(link);
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

RoutingEntry minimal_adaptive_entry() {
  return {.info = {.name = "minimal-adaptive",
                   .summary = "The link with the shortest queue of all that lead nearer; dimension "
                              "order is the escape",
                   .fits = "Hamming, HyperX, torus, mesh, hypercube",
                   .hops = HopFace{.channels = "2, on rings 3; more are adaptive ones",
                                   .deadlock = "packets wait for channels of dimension order alone "
                                               "(Duato)"}},
          .hops = [](const HopContext& context) -> std::unique_ptr<HopRouting> {
            return std::make_unique<MinimalAdaptive>(context);
          }};
}

}  // namespace weft::network
