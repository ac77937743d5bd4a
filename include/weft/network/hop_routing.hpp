// HopRouting: the choice of a packet's next link at each router.
//
// choose() is asked once for each packet and packet.node (a router, or the sending host itself
// where hosts are no leaves), which is neither the packet's destination nor the router of a
// destination that is a leaf: terminal links of leaves are the simulator's, on channel 0. It gives
// an out-link of the node and a channel below vcs(), and may keep what it needs in packet.phase and
// packet.via. packet.routers is 0 at the first node that chooses. Where looks_at_queues() is false
// the simulator asks early, when the packet sets out for the node, so that it can fetch what it
// needs into the cache in time.
//
// Messages that bring a path are not asked about; packets climb a channel with each of its links
// between routers.
//
// Freedom of deadlock is the routing's business: the channels must be ordered so that a packet
// climbs (Dally and Seitz, IEEE ToC C-36(5), 1987). More channels than vcs() may exist.
//
// How to add one: docs/architecture.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "weft/network/wiring.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::network {

/// A packet on its way, or a flit, in one cache line. Times in picoseconds.
struct alignas(64) PacketState {
  std::int64_t created = 0;  // its turn at the sender's adapter
  std::int64_t tail = 0;     // when all of it is ready at the node where its head is
  std::int32_t message = 0;  // in the simulator's pool
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
  std::uint8_t flags = 0;                    // the simulator's
  std::uint8_t coin = 0;                     // bits drawn for its message
};
static_assert(sizeof(PacketState) == 64);

/// What changes of a link; two in a cache line. Times in picoseconds.
struct alignas(32) LinkState {
  std::int64_t free_at = 0;     // when it has sent all that it took
  std::int64_t waiting_ps = 0;  // to send what waits for it in inputs
  std::int64_t bytes = 0;
  std::int32_t head = 0;
  std::int32_t kind = 0;  // the simulator's
};
static_assert(sizeof(LinkState) == 32);

struct Choice {
  std::int32_t link, vc;
};

/// Which channels have room for the packet at hand.
class Room {
 public:
  /// Whether a channel would take the packet at once, so that it need not wait; under wormhole
  /// switching, whether it is empty.
  virtual bool has_room(std::int32_t link, std::int32_t vc) const = 0;

 protected:
  ~Room() = default;
};

/// What an adaptive routing sees of the links, its own router's or any other's.
class QueueView {
 public:
  /// `room` is there where the routing looks for it.
  QueueView(const std::vector<LinkState>& links, std::int64_t now_ps, const Room* room = nullptr)
      : links_(links.data()), now_ps_(now_ps), room_(room) {}

  bool has_room(std::int32_t link, std::int32_t vc) const { return room_->has_room(link, vc); }

  /// Picoseconds until the link has sent all that it took and all that waits for it.
  std::int64_t backlog(std::int32_t link) const {
    const LinkState& l = links_[link];
    return std::max<std::int64_t>(0, l.free_at - now_ps_) + l.waiting_ps;
  }

 private:
  const LinkState* links_;
  std::int64_t now_ps_;
  const Room* room_;
};

class HopRouting {
 public:
  virtual ~HopRouting() = default;

  /// Virtual channels that keep it free of deadlock.
  virtual int vcs() const = 0;
  virtual Choice choose(PacketState& packet, const QueueView& queues) = 0;

  /// Whether all packets of a message are to take one way that is drawn for it, so that it finds
  /// bits in packet.coin.
  virtual bool draws_by_message() const { return false; }
  /// Whether choose() asks queues.has_room(), which costs time to prepare: before it takes a
  /// channel, else it names one to wait for.
  virtual bool looks_for_room() const { return false; }
  /// Whether choose() looks at queues for some packets; then looks_at_queues() and likely() are
  /// asked, else not.
  virtual bool is_adaptive() const { return false; }
  /// Whether it would, at the packet's node.
  virtual bool looks_at_queues(const PacketState& /*packet*/) const { return is_adaptive(); }
  /// A link that it looks at then, or kNone.
  virtual std::int32_t likely(const PacketState& /*packet*/) const { return kNone; }
};

/// What a routing is made from.
struct HopContext {
  const Wiring& wiring;
  const Fabric& fabric;    // of the wiring
  std::uint64_t seed = 1;  // of what it draws
  int vcs = 0;             // channels of a link; 0: as many as it needs
};

/// The choice at each router of the routing of that name, or another name of it, in any case.
/// Throws InvalidInput where packets don't choose by one, and where it does not fit.
std::unique_ptr<HopRouting> make_hop_routing(std::string_view name, const HopContext& context);

/// The most links that a shortest path has between the routers of any two hosts, 1 or more.
/// O(routers * links).
int longest_shortest_path(const Wiring& wiring);

}  // namespace weft::network
