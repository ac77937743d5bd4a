// Fixed paths: whatever a routing of the network gives, one path from each router to each host.
//
// If links wait for each other in no cycle along these paths, all virtual channels serve alike;
// else the h-th hop takes the h-th class, or, with fewer channels than the longest path has links,
// a packet takes the next class only where an order of links falls (packet/routing/path_order.hpp).
// The test is exact for the paths at hand: a topological sort of the channel dependency graph
// (Dally and Seitz, 1987).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/routing.hpp"
#include "weft/simulation/packet/engine/path_order.hpp"
#include "weft/simulation/packet/input_queued/packet.hpp"
#include "weft/simulation/packet/input_queued/port_wiring.hpp"

namespace weft::simulation::input_queued {

class PathRouting {
 public:
  static constexpr bool kSeesQueues = false;
  static constexpr bool kNeedsRoom = false;
  static constexpr bool kSharesChannels = false;

  /// Throws InvalidInput for a routing that splits, for more paths than 2^26, and for too few
  /// virtual channels.
  PathRouting(const network::Routing& routing, const Topology& topology, const PortWiring& wiring,
              int channels);

  Route route(std::int32_t /*router*/, Packet& packet, Rng& /*rng*/, const RouterState&) const {
    const std::int64_t next = first_[packet.path] + packet.hops - 1;
    WEFT_ASSERT(next <= first_[static_cast<std::size_t>(packet.path) + 1]);
    if (next == first_[static_cast<std::size_t>(packet.path) + 1])
      return {host_outputs_[packet.target_host], all_};
    return {ports_[next], masks_[classes_[next]]};
  }

  void begin(Packet& packet) const {
    packet.path = source_routers_[packet.source_host] * hosts_ + packet.target_host;
  }

 private:
  void add_path(std::span<const LinkId> path, const packet::PathOrder& order,
                const PortWiring& wiring);
  void number_by_hops(int classes);
  std::int32_t longest() const;
  bool waits_in_cycles(const PortWiring& wiring) const;

  std::int32_t hosts_;
  std::vector<std::int32_t> source_routers_, host_outputs_;
  std::vector<std::int64_t> first_{0};  // by router * hosts + host
  std::vector<std::int32_t> ports_;
  std::vector<std::uint16_t> classes_;  // likewise
  std::vector<std::uint64_t> masks_;    // by class
  std::uint64_t all_;
};

}  // namespace weft::simulation::input_queued
