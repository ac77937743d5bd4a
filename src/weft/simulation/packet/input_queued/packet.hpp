// A packet of the cycle-driven simulator.
#pragma once

#include <cstdint>

namespace weft::simulation::input_queued {

struct Packet {
  std::int64_t created = 0;  // cycle
  std::int32_t source_host = 0, target_host = 0;
  std::int32_t target_router = 0;
  std::int32_t path = 0;      // of the routing
  std::int16_t hops = 0;      // routers entered
  std::int8_t dimension = 0;  // of the routing: the one being travelled, direction and class in it
  std::int8_t direction = 0;
  std::int8_t vc_class = 0;
  bool measured = false;
  std::int32_t flits = 1;
  std::uint32_t id = 0;  // of the engine; free again after the packet
};

/// What a routing may ask of the router at hand.
struct RouterState {
  const std::uint64_t* busy;   // by output: channels that a packet holds
  const std::int16_t* places;  // by output and channel: free ones behind it
  int channels;
  std::int32_t input;  // port that the packet came in by

  /// Free places of a channel; none of one that a packet holds.
  std::int32_t credits(std::int32_t output, int channel) const {
    const auto port = static_cast<std::size_t>(output);
    if ((busy[port] >> channel & 1) != 0) return 0;
    return places[port * static_cast<std::size_t>(channels) + static_cast<std::size_t>(channel)];
  }
};

/// Channels of every link that packets of several classes may take, where `places` of them are
/// free.
struct SharedChannels {
  std::uint64_t mask = 0;
  int places = 0;
};

/// Where a packet goes next: an output port and the virtual channels that it may take there.
struct Route {
  std::int32_t output;
  std::uint64_t channels;
};

}  // namespace weft::simulation::input_queued
