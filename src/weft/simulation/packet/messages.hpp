// Message: what the engine keeps of a message under way.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/simulation/packet/pool.hpp"
#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation::packet {

/// Two cache lines: what its reception needs, and what only its sending needs.
struct alignas(64) Message {
  Time issued = 0;  // when it was sent, its own delay included
  std::uint64_t tag = 0;
  std::int64_t bytes = 0, to_inject = 0, to_receive = 0;
  SourceId source = 0;
  std::int32_t from = 0, to = 0;
  std::int32_t lane = kNone;
  std::uint8_t holders = 2;  // its sender, its receiver
  bool acknowledge = false, is_acknowledgement = false;

  alignas(64) Time turn = 0;       // when its first packet may leave
  Time packet_turn = 0;            // of the packet that is being sent as flits
  std::int32_t packet_left = 0;    // bytes of it to inject
  std::int32_t route = kNone;      // its channel
  std::int32_t next = kNone;       // the message behind it in its lane
  std::vector<std::int32_t> path;  // links, or empty

  void reset(SourceId by, const PacketMessage& message, Time now) {
    issued = now + message.delay;
    tag = message.tag;
    bytes = to_inject = to_receive = message.bytes;
    packet_left = 0;
    source = by;
    from = message.from.value();
    to = message.to.value();
    lane = message.lane;
    next = kNone;
    holders = 2;
    acknowledge = message.acknowledge;
    is_acknowledgement = false;
    path.clear();
    for (const LinkId link : message.path) path.push_back(link.value());
  }
  /// The answer to this message, its path apart.
  Message acknowledgement(std::int64_t size_B, Time now) const {
    Message answer;
    answer.issued = now;
    answer.tag = tag;
    answer.bytes = answer.to_inject = answer.to_receive = size_B;
    answer.source = source;
    answer.from = to;
    answer.to = from;
    answer.is_acknowledgement = true;
    return answer;
  }
};

}  // namespace weft::simulation::packet
