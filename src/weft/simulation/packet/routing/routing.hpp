// What a packet routing is, and how to add one.
//
// A routing is a struct with
//
//   explicit Routing(const RoutingContext& context);
//   int vcs() const;                        // virtual channels that keep it free of deadlock
//   Choice choose(PacketState& packet, const QueueView& queues);
//   bool looks_at_queues(const PacketState& packet) const;  // whether choose() would, at that node
//   std::int32_t likely(const PacketState& packet) const;   // then: a link that it looks at, or
//   kNone
//
// choose() is asked once for each packet and packet.node (a router, or the sending host itself
// where hosts are no leaves), which is neither the packet's destination nor the router of a
// destination that is a leaf: terminal links of leaves are the engine's, on channel 0. It gives an
// out-link of the node and a channel below vcs(), and may keep what it needs in packet.phase and
// packet.via. packet.routers is 0 at the first node that chooses. Where looks_at_queues() is false
// the engine asks early, when the packet sets out for the node, so that it can fetch what it needs
// into the cache in time. The call is resolved at compile
// time: one engine per routing is instantiated by WEFT_PACKET_ENGINE in the routing's file, which
// is the one file to write, besides a line in routings.cpp.
//
// Messages that bring a path are not asked about; packets climb a channel with each of its links
// between routers. Whether every message must bring one is
//
//   static constexpr bool kNeedsPaths;
//
// and, where choose() asks queues.has_room(), which costs time to prepare,
//
//   static constexpr bool kLooksForRoom = true;
//
// and, where all packets of a message are to take one way that is drawn for it, so that it finds
// bits in packet.coin,
//
//   static constexpr bool kDrawsByMessage = true;
//
// ByHops has these for most routings, a looks_at_queues() that is false and a likely() without an
// answer.
//
// Freedom of deadlock is the routing's business: the channels must be ordered so that a packet
// climbs (Dally and Seitz, IEEE ToC C-36(5), 1987). More channels than vcs() may exist.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "weft/simulation/packet/engine/channels.hpp"
#include "weft/simulation/packet/engine/link_wiring.hpp"
#include "weft/simulation/packet/engine/worms.hpp"

namespace weft::simulation::packet {

/// A packet on its way, or a flit, in one cache line.
struct alignas(64) PacketState {
  Time created = 0;          // its turn at the sender's adapter
  Time tail = 0;             // when all of it is ready at the node where its head is
  std::int32_t message = 0;  // in the engine's pool
  std::int32_t bytes = 0;
  std::int32_t link = kNone;                 // whose buffer holds it; kNone: at its sender
  std::int32_t next = kNone;                 // in a queue
  std::int32_t source = 0, destination = 0;  // hosts
  std::int32_t router = 0;                   // of the destination
  std::int32_t node = 0;                     // where its head is, or is on its way to
  std::int32_t via = kNone;                  // free for the routing
  std::int32_t want = kNone;                 // its next channel (link * vcs + vc), once chosen
  std::uint16_t routers = 0;                 // passed so far
  std::uint16_t owner = 0;                   // its source of traffic
  std::uint8_t vc = 0;                       // of `link`
  std::uint8_t phase = 0;                    // free for the routing
  std::uint8_t flags = 0;                    // the engine's
  std::uint8_t coin = 0;                     // bits drawn for its message
};
static_assert(sizeof(PacketState) == 64);

struct Choice {
  std::int32_t link, vc;
};

/// The channels, and what a packet needs of one.
struct RoomView {
  const Channel* channels = nullptr;  // by link << vc_bits | channel
  const Worm* worms = nullptr;        // likewise; none where packets move whole
  int vc_bits = 0;
  std::int32_t bytes = 0;
  const std::int32_t* buffers_B = nullptr;  // by link, where a channel must be empty
};

/// What an adaptive routing sees of the links, its own router's or any other's.
class QueueView {
 public:
  QueueView(const std::vector<Link>& links, Time now, RoomView room = {})
      : links_(links.data()), now_(now), room_(room) {}

  /// Whether a channel would take the packet at once, so that it need not wait; under wormhole
  /// switching, whether it is empty.
  bool has_room(std::int32_t link, std::int32_t vc) const {
    const std::int32_t index = link << room_.vc_bits | vc;
    const Channel& channel = room_.channels[index];
    if (channel.waited_for() || (room_.worms != nullptr && room_.worms[index].owned)) return false;
    const std::int32_t least = room_.buffers_B != nullptr ? room_.buffers_B[link] : room_.bytes;
    return channel.credits_at(now_) >= least;
  }

  /// Picoseconds until the link has sent all that it took and all that waits for it.
  Time backlog(std::int32_t link) const {
    const Link& l = links_[link];
    return std::max<Time>(0, l.free_at - now_) + l.waiting_ps;
  }

 private:
  const Link* links_;
  Time now_;
  RoomView room_;
};

/// What most routings have in common.
struct ByHops {
  static constexpr bool kNeedsPaths = false;
  static constexpr bool kLooksForRoom = false;
  static constexpr bool kDrawsByMessage = false;
  bool looks_at_queues(const PacketState&) const { return false; }
  std::int32_t likely(const PacketState&) const { return kNone; }
};

/// What a routing is made from.
struct RoutingContext {
  const Wiring& wiring;
  const Fabric& fabric;    // of the wiring
  std::uint64_t seed = 1;  // of what it draws
  int vcs = 0;             // channels of a link; 0: as many as it needs
};

/// A routing without its engine, for those who ask what it would choose.
class LoneRouting {
 public:
  virtual ~LoneRouting() = default;
  virtual int vcs() const = 0;
  virtual bool looks_for_room() const = 0;  // before it takes a channel, else asks for one to wait
  virtual Choice choose(PacketState& packet, const QueueView& queues) = 0;
};

template <class Routing>
std::unique_ptr<LoneRouting> alone(Routing routing) {
  class Alone final : public LoneRouting {
   public:
    explicit Alone(Routing routing) : routing_(std::move(routing)) {}
    int vcs() const override { return routing_.vcs(); }
    bool looks_for_room() const override { return Routing::kLooksForRoom; }
    Choice choose(PacketState& packet, const QueueView& queues) override {
      return routing_.choose(packet, queues);
    }

   private:
    Routing routing_;
  };
  return std::make_unique<Alone>(std::move(routing));
}

/// The routing of that name. Throws InvalidInput where packets don't choose by one.
std::unique_ptr<LoneRouting> make_lone_routing(std::string_view name,
                                               const RoutingContext& context);

/// Makes the engine of a routing; throws InvalidInput where it does not fit.
using EngineMaker = std::unique_ptr<PacketEngine> (*)(const Fabric&, const PacketOptions&);
using LoneMaker = std::unique_ptr<LoneRouting> (*)(const RoutingContext&);

/// Declares what WEFT_PACKET_ENGINE defines, one per routing.
#define WEFT_DECLARE_PACKET_ENGINE(function)                                   \
  std::unique_ptr<PacketEngine> function(const Fabric&, const PacketOptions&); \
  std::unique_ptr<LoneRouting> function##_alone(const RoutingContext&);
WEFT_DECLARE_PACKET_ENGINE(make_path_engine)
WEFT_DECLARE_PACKET_ENGINE(make_shortest_engine)
WEFT_DECLARE_PACKET_ENGINE(make_shortest_split_engine)
WEFT_DECLARE_PACKET_ENGINE(make_any_valiant_engine)
WEFT_DECLARE_PACKET_ENGINE(make_valiant_engine)  // Dragonfly's on a Dragonfly, else any
WEFT_DECLARE_PACKET_ENGINE(make_dimension_order_engine)
WEFT_DECLARE_PACKET_ENGINE(make_minimal_adaptive_engine)
WEFT_DECLARE_PACKET_ENGINE(make_up_down_random_engine)
WEFT_DECLARE_PACKET_ENGINE(make_up_down_adaptive_engine)
WEFT_DECLARE_PACKET_ENGINE(make_dragonfly_minimal_engine)
WEFT_DECLARE_PACKET_ENGINE(make_dragonfly_valiant_engine)
WEFT_DECLARE_PACKET_ENGINE(make_dragonfly_ugal_engine)
WEFT_DECLARE_PACKET_ENGINE(make_dragonfly_ugal_global_engine)
WEFT_DECLARE_PACKET_ENGINE(make_dragonfly_progressive_engine)

}  // namespace weft::simulation::packet
