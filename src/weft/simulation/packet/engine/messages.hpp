// Message: what the engine keeps of a message under way.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/simulation/packet/engine/pool.hpp"
#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation::packet {

/// One cache line.
struct alignas(64) Message {
  Time issued = 0;  // when it was sent, its own delay included
  std::uint64_t tag = 0;
  std::int64_t to_inject = 0, to_receive = 0;  // bytes
  Time received = 0;                           // when the last packet that is known to arrive does
  std::int32_t from = 0, to = 0;
  std::int32_t lane = kNone;
  std::int32_t next = kNone;  // the message behind it in its lane
  std::int32_t path = kNone;  // in the engine's pool of paths
  std::uint16_t source = 0;
  std::uint8_t holders = 2;  // its sender, its receiver
  bool started : 1 = false;  // its first packet has set out
  bool report_injected : 1 = false;
  bool acknowledge : 1 = false;
  bool is_acknowledgement : 1 = false;

  static Message make(SourceId by, const PacketMessage& message, Time now) {
    Message m;
    m.issued = now + message.delay;
    m.tag = message.tag;
    m.to_inject = m.to_receive = message.bytes;
    m.source = static_cast<std::uint16_t>(by);
    m.from = message.from.value();
    m.to = message.to.value();
    m.lane = message.lane;
    m.report_injected = message.report_injected;
    m.acknowledge = message.acknowledge;
    return m;
  }
  /// The answer to this message, its path apart.
  Message acknowledgement(std::int64_t size_B, Time now) const {
    Message answer;
    answer.issued = now;
    answer.tag = tag;
    answer.to_inject = answer.to_receive = size_B;
    answer.source = source;
    answer.from = to;
    answer.to = from;
    answer.is_acknowledgement = true;
    return answer;
  }
};
static_assert(sizeof(Message) == 64);

/// A message that is being sent flit by flit.
struct Injection {
  std::int64_t bytes = 0;        // of the message
  Time packet_turn = 0;          // of the packet that is being sent
  std::int32_t packet_left = 0;  // bytes of it
  std::int32_t route = kNone;    // its channel
};

/// The messages of one lane, which leave one after the other.
struct Lane {
  std::int32_t last = kNone;  // that has not left
  Time free_at = 0;           // when the one that left last has
};

}  // namespace weft::simulation::packet
