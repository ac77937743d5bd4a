// Open loop: hosts that make packets whatever becomes of them, and a network that carries them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/packet/input_queued/routers.hpp"
#include "weft/simulation/traffic.hpp"

namespace weft::simulation::input_queued {

// When each host makes its packets: gaps of a Bernoulli process, drawn whole.
class Sources {
 public:
  Sources(std::int32_t hosts, double packets_per_cycle, std::uint64_t seed)
      : log_miss_(std::log1p(-packets_per_cycle)), certain_(packets_per_cycle >= 1) {
    const Rng root(seed);
    for (std::int32_t h = 0; h < hosts; ++h) {
      streams_.push_back(root.split(static_cast<std::uint64_t>(h)));
      next_.push_back(gap(streams_.back()) - 1);
    }
  }

  std::int64_t next(std::int32_t host) const { return next_[host]; }
  Rng& stream(std::int32_t host) { return streams_[host]; }
  void advance(std::int32_t host) { next_[host] += gap(streams_[host]); }

 private:
  std::int64_t gap(Rng& rng) const {
    if (certain_) return 1;
    return 1 + static_cast<std::int64_t>(std::log1p(-rng.uniform()) / log_miss_);
  }

  double log_miss_;
  bool certain_;
  std::vector<Rng> streams_;
  std::vector<std::int64_t> next_;
};

/// A network in operation at one load; the listener is the engine's.
template <class Routing, class Listener>
class OpenLoop {
 public:
  OpenLoop(const LoadCurveOptions& options, const PortWiring& wiring, const TrafficPattern& traffic,
           Routing& routing, Listener& listener, double offered)
      : packet_flits_(options.packet_flits),
        wiring_(wiring),
        traffic_(traffic),
        routers_(wiring, options.router, routing, listener, Rng(options.seed).split(1).next()),
        sources_(wiring.hosts(), offered / options.packet_flits,
                 Rng(options.seed).split(2).next()) {}

  std::int64_t now() const { return routers_.now(); }
  std::int64_t flit_hops() const { return routers_.flit_hops(); }

  /// Whether all packets that were made before `cycle` have left their queues.
  bool queues_are_past(std::int64_t cycle) const {
    for (std::int32_t h = 0; h < wiring_.hosts(); ++h)
      if (sources_.next(h) < cycle) return false;
    return true;
  }

  /// A cycle. `hand_over(packet)` is told of each packet that leaves its queue, and may mark it.
  template <class HandOver>
  void step(HandOver&& hand_over) {
    for (std::int32_t h = 0; h < wiring_.hosts(); ++h)
      if (sources_.next(h) <= routers_.now() && routers_.idle(h)) make_packet(h, hand_over);
    routers_.step();
  }

 private:
  template <class HandOver>
  void make_packet(std::int32_t host, HandOver& hand_over) {
    Packet packet;
    packet.created = sources_.next(host);
    packet.source_host = host;
    packet.target_host = traffic_.destination(host, sources_.stream(host));
    packet.target_router = wiring_.host_routers[packet.target_host];
    hand_over(packet);
    routers_.send(host, packet, packet_flits_);
    sources_.advance(host);
  }

  int packet_flits_;
  const PortWiring& wiring_;
  const TrafficPattern& traffic_;
  Routers<Routing, Listener> routers_;
  Sources sources_;
};

}  // namespace weft::simulation::input_queued
