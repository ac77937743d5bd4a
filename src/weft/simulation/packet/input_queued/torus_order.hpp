// Dimension order on tori and meshes, packet by packet, straight or by Valiant's detour.
//
// Half-way round a ring a packet tosses a coin, else one direction would carry more. A ring is a
// cycle of links that wait for each other; the packets that will cross its last link (from k - 1 to
// 0 or back) have virtual channels of their own, and neither class fills the whole ring: a shortest
// way that crosses begins in the upper half and ends in the lower. Meshes need no classes. Where a
// ring has an odd number of channels the middle one is open to both classes, for packets that it
// has room for whole (or that find it empty, if they are longer than a buffer). That keeps it free
// of deadlock: what waits at the front of the middle channel may always take a channel of its own
// class instead; what has been given the middle channel leaves the channels behind it, since all of
// it fits, or else has the middle channel to itself. So a channel of a class waits, in the end, for
// those of its class further along the ring only, and these wait in no circle (Duato, 1993).
// Valiant's packets go to a router drawn at random first, each half in dimension order on channels
// of its own. Sources: Dally, Seitz, "Deadlock-Free Message Routing in Multiprocessor
// Interconnection Networks", IEEE ToC C-36(5), 1987; Valiant, Brebner, "Universal Schemes for
// Parallel Communication", STOC 1981; Duato, "A New Theory of Deadlock-Free Adaptive Routing in
// Wormhole Networks", IEEE TPDS 4(12), 1993.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/packet/input_queued/packet.hpp"
#include "weft/simulation/packet/input_queued/port_wiring.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation::input_queued {

enum class GridEnds : std::uint8_t { joined, open };  // of each dimension: torus or mesh
enum class Detour : std::uint8_t { none, valiant };

class TorusOrder {
 public:
  static constexpr bool kSeesQueues = false;
  static constexpr bool kNeedsRoom = false;

  static constexpr bool kSharesChannels = true;

  /// Throws InvalidInput for fewer virtual channels than classes: two for a torus, twice as many
  /// for a detour.
  TorusOrder(const Topology& topology, const topology::Extents& grid, GridEnds ends, Detour detour,
             const PortWiring& wiring, const LoadCurveOptions& options);

  /// Channels that are of several classes, and how many free places they are to have.
  SharedChannels shared() const { return {shared_, room_}; }

  Route route(std::int32_t router, Packet& packet, Rng& rng, const RouterState&) const {
    const std::size_t here = static_cast<std::size_t>(router) * extents_.size();
    const std::size_t there =
        static_cast<std::size_t>(target(router, packet, rng)) * extents_.size();
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      const int from = coordinates_[here + d], to = coordinates_[there + d];
      if (from == to) continue;
      if (packet.dimension != static_cast<std::int8_t>(d)) turn(packet, d, from, to, rng);
      return {ports_[2 * (here + d) + static_cast<std::size_t>(packet.direction)],
              masks_[packet.vc_class]};
    }
    return {host_outputs_[packet.target_host], all_};
  }

  void begin(Packet& packet) const {
    packet.dimension = -1;
    packet.path = detour_ == Detour::valiant ? kToDraw : kStraight;
  }

 private:
  enum : std::int8_t { kUp = 0, kDown = 1 };
  enum : std::int32_t { kToDraw = -2, kStraight = -1 };  // packet.path, else the router to pass

  std::int32_t target(std::int32_t router, Packet& packet, Rng& rng) const {
    if (packet.path == kToDraw) packet.path = static_cast<std::int32_t>(rng.below(routers_));
    if (packet.path == router) {
      packet.path = kStraight;
      packet.dimension = -1;
    }
    return packet.path >= 0 ? packet.path : packet.target_router;
  }

  void share_channels(int channels);

  void turn(Packet& packet, std::size_t d, int from, int to, Rng& rng) const {
    const int extent = extents_[d];
    const int up = (to - from + extent) % extent;
    const bool half_way = 2 * up == extent;
    bool goes_up = to > from;
    if (ends_ == GridEnds::joined) goes_up = half_way ? rng.below(2) == 0 : 2 * up < extent;
    const bool crosses_end = goes_up != (to > from) && extent > 2;
    const int half = detour_ == Detour::valiant && packet.path == kStraight ? ring_classes_ : 0;
    packet.dimension = static_cast<std::int8_t>(d);
    packet.direction = goes_up ? kUp : kDown;
    packet.vc_class = static_cast<std::int8_t>(half + (crosses_end ? 1 : 0));
  }

  std::vector<int> extents_;
  GridEnds ends_;
  Detour detour_;
  int ring_classes_;
  std::int32_t routers_;
  std::vector<int> coordinates_;     // by router and dimension
  std::vector<std::int32_t> ports_;  // by router, dimension and direction
  std::vector<std::int32_t> host_outputs_;
  std::vector<std::uint64_t> masks_;  // by class
  std::uint64_t all_;
  std::uint64_t shared_ = 0;
  int room_;
};

}  // namespace weft::simulation::input_queued
