// Core: messages become packets at their sender and are put together at their receiver.
#pragma once

#include "weft/simulation/packet/core.hpp"

namespace weft::simulation::packet {

template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::send(SourceId source, const PacketMessage& message) {
  WEFT_ASSERT(message.bytes > 0 && message.from != message.to);
  require(!message.path.empty() || !Routing::kNeedsPaths,
          "a message has no path (this routing is by path); choose a packet routing, such as "
          "shortest-table");
  check_path(message);
  check_size(message.bytes, unit_B_);
  check_delay(message.delay, "start-up of a message");
  const std::int32_t index = messages_.take();
  Message& m = messages_[index];
  m.reset(source, message, now_);
  enqueue(index, source, message.lane);
}

template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::check_path(const PacketMessage& message) const {
  const int links = static_cast<int>(message.path.size()) -
                    (is_leaf(message.from.value()) ? 1 : 0) - (is_leaf(message.to.value()) ? 1 : 0);
  require(links <= routing_.longest_path(vcs_),
          "a path of {} links between routers is too long for {} virtual channels (a packet climbs "
          "one with each); {} are needed",
          links, vcs_, links);
}

/// Gives the message its turn, after those before it in its lane.
template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::enqueue(std::int32_t message, SourceId source, std::int32_t lane) {
  Message& m = messages_[message];
  m.turn = m.issued + options_.adapter_delay_ps;
  if (lane < 0) return push(m.turn, Kind::turn, message);
  auto& lanes = lanes_[place(source)];
  if (place(lane) >= lanes.size()) lanes.resize(place(lane) + 1, kNone);
  const std::int32_t last = std::exchange(lanes[place(lane)], message);
  if (last == kNone)
    push(m.turn, Kind::turn, message);
  else
    messages_[last].next = message;
}

/// The next packet (or flit) of a message enters the network, or its last one has left.
template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::take_turn(std::int32_t message) {
  check_clock(now_);
  if (messages_[message].to_inject == 0) return end_injection(message);
  const std::int32_t index = packets_.take();
  Message& m = messages_[message];
  PacketState& packet = packets_[index];
  const bool first = m.to_inject == m.bytes, head = m.packet_left == 0;
  if (head) {
    m.packet_left = static_cast<std::int32_t>(std::min(m.to_inject, options_.packet_B));
    m.packet_turn = now_;
  }
  packet = {};
  packet.created = m.packet_turn - options_.adapter_delay_ps;
  packet.tail = now_;
  packet.message = message;
  packet.owner = static_cast<std::uint16_t>(m.source);
  packet.bytes =
      kFlits ? std::min(m.packet_left, static_cast<std::int32_t>(options_.flit_B)) : m.packet_left;
  packet.source = packet.node = m.from;
  packet.destination = m.to;
  packet.router = wiring_.router[place(m.to)];
  m.to_inject -= packet.bytes;
  m.packet_left -= packet.bytes;
  packet.flags = static_cast<std::uint8_t>(
      (first ? kFirst : 0) | (m.is_acknowledgement ? kAcknowledgement : 0) |
      (m.path.empty() ? 0 : kByPath) | (is_leaf(m.from) ? kFromLeaf : 0) | (head ? kHead : 0) |
      (m.packet_left == 0 ? kTail : 0));
  if (!kFlits) return route(index);
  front(index);
  go_on();
}

template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::end_injection(std::int32_t message) {
  const Message& m = messages_[message];
  const SourceId source = m.source;
  const std::uint64_t tag = m.tag;
  const bool report = !m.is_acknowledgement;
  if (m.lane >= 0) {
    std::int32_t& last = lanes_[place(source)][place(m.lane)];
    if (last == message)
      last = kNone;
    else
      push(std::max(now_, messages_[m.next].turn), Kind::turn, m.next);
  }
  forget(message);
  if (report) sources_[place(source)]->injected(tag);
}

template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::receive(std::int32_t index) {
  const PacketState& packet = packets_[index];
  const std::int32_t message = packet.message;
  if (!(packet.flags & kAcknowledgement)) {
    tallies_[packet.owner].received(packet.bytes);
    if (packet.flags & kTail)
      tallies_[packet.owner].tail_received(now_ - packet.created, packet.routers);
  }
  Message& m = messages_[message];
  m.to_receive -= packet.bytes;
  packets_.give_back(index);
  if (m.to_receive == 0) finish(message);
}

template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::finish(std::int32_t message) {
  const Message& m = messages_[message];
  const SourceId source = m.source;
  const std::uint64_t tag = m.tag;
  const bool is_acknowledgement = m.is_acknowledgement;
  if (is_acknowledgement) {
    tallies_[place(source)].count_acknowledgement();
  } else {
    tallies_[place(source)].finished(now_ - m.issued);
    if (m.acknowledge) acknowledge(m);
  }
  forget(message);
  if (is_acknowledgement)
    sources_[place(source)]->acknowledged(tag);
  else
    sources_[place(source)]->delivered(tag);
}

/// Sends a short message back, by the same cables where the message had a path.
template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::acknowledge(const Message& message) {
  Message answer = message.acknowledgement(options_.acknowledgement_B, now_);
  for (auto link = message.path.rbegin(); link != message.path.rend(); ++link) {
    const auto back = wiring_.topology.reverse(LinkId(*link));
    require(back.has_value(),
            "an acknowledgement cannot go back over a one-way link; use release delivered");
    answer.path.push_back(back->value());
  }
  const SourceId source = answer.source;
  const std::int32_t index = messages_.take();  // moves `message`
  messages_[index] = std::move(answer);
  enqueue(index, source, -1);
}

}  // namespace weft::simulation::packet
