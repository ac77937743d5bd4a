// LinkWiring: links as the packet engine works on them, beside the routers of Wiring.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/network/hop_routing.hpp"
#include "weft/simulation/packet/engine/pool.hpp"
#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation::packet {

using network::Choice;
using network::HopRouting;
using network::PacketState;
using network::QueueView;
using Link = network::LinkState;  // `kind` is a place in LinkWiring::kinds

/// Picoseconds to send bytes, rounded up: a link is never faster than its bandwidth. `bytes` up to
/// 16 MiB keeps the product in 64 bits.
inline Time serialisation_ps(std::int64_t bytes, std::int64_t bandwidth_Bps) {
  const auto product = static_cast<std::uint64_t>(bytes) * 1'000'000'000'000u;
  const auto bandwidth = static_cast<std::uint64_t>(bandwidth_Bps);
  return static_cast<Time>((product + bandwidth - 1) / bandwidth);
}

/// Throws InvalidInput for a delay below zero or above 1,000 s: a few of them would overflow the
/// clock.
void check_delay(Time delay_ps, const char* what);

/// What links have in common: there are few kinds, which stay in the cache.
struct LinkKind {
  std::int64_t bandwidth_Bps = 0;
  Time latency_ps = 0;  // to the head
  Time unit_ps = 0;     // to send a full packet, or flit
  std::int32_t link_class = 0;

  Time send_ps(std::int32_t bytes, std::int64_t unit_B) const {
    return bytes == unit_B ? unit_ps : serialisation_ps(bytes, bandwidth_Bps);
  }
};

/// Bytes of a full unit that moves: a packet or a flit.
inline std::int64_t unit_B(const PacketOptions& options) {
  return options.granularity == Granularity::flit ? options.flit_B : options.packet_B;
}

struct LinkWiring : Wiring {
  LinkWiring(const Fabric& fabric, const PacketOptions& options);

  std::int32_t link_count() const { return static_cast<std::int32_t>(links.size()); }

  const LinkKind& kind(const Link& link) const { return kinds[place(link.kind)]; }

  std::vector<Link> links;
  std::vector<LinkKind> kinds;
  std::vector<std::int32_t> credits_ps;  // from the head of a link back to its tail
  std::vector<std::int32_t> buffers_B;   // of a virtual channel, by link
};

}  // namespace weft::simulation::packet
