// Dimension order on tori, packet by packet.
//
// Half-way round a ring a packet tosses a coin, else one direction would carry more. A ring is a
// cycle of links that wait for each other; the packets that will cross its last link (from k - 1 to
// 0 or back) have virtual channels of their own, and neither class fills the whole ring: a shortest
// way that crosses begins in the upper half and ends in the lower.
// Source: Dally, Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks",
// IEEE ToC C-36(5), 1987.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/simulation/pipelined/packet.hpp"
#include "weft/simulation/pipelined/wiring.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation::pipelined {

class TorusOrder {
 public:
  static constexpr int kClasses = 2;

  /// Throws InvalidInput below two virtual channels.
  TorusOrder(const Topology& topology, const topology::TorusView& torus, const Wiring& wiring,
             int channels);

  Route route(std::int32_t router, Packet& packet, Rng& rng) const {
    const std::size_t here = static_cast<std::size_t>(router) * extents_.size();
    const std::size_t there = static_cast<std::size_t>(packet.target_router) * extents_.size();
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      const int from = coordinates_[here + d], to = coordinates_[there + d];
      if (from == to) continue;
      if (packet.dimension != static_cast<std::int8_t>(d)) turn(packet, d, from, to, rng);
      return {ports_[2 * (here + d) + static_cast<std::size_t>(packet.direction)],
              masks_[static_cast<std::size_t>(packet.vc_class)]};
    }
    return {host_outputs_[static_cast<std::size_t>(packet.target_host)], all_};
  }

  void begin(Packet& packet) const { packet.dimension = -1; }

 private:
  enum : std::int8_t { kUp = 0, kDown = 1 };

  void turn(Packet& packet, std::size_t d, int from, int to, Rng& rng) const {
    const int extent = extents_[d];
    const int up = (to - from + extent) % extent;
    const bool half_way = 2 * up == extent;
    const bool goes_up = half_way ? rng.below(2) == 0 : 2 * up < extent;
    packet.dimension = static_cast<std::int8_t>(d);
    packet.direction = goes_up ? kUp : kDown;
    packet.vc_class = static_cast<std::int8_t>(extent > 2 && (goes_up ? to < from : to > from));
  }

  std::vector<int> extents_;
  std::vector<int> coordinates_;     // by router and dimension
  std::vector<std::int32_t> ports_;  // by router, dimension and direction
  std::vector<std::int32_t> host_outputs_;
  std::vector<std::uint64_t> masks_;  // by class
  std::uint64_t all_;
};

}  // namespace weft::simulation::pipelined
