// Core: messages become packets at their sender and are put together at their receiver.
#pragma once

#include "weft/base/random.hpp"
#include "weft/simulation/packet/engine/core.hpp"

namespace weft::simulation::packet {

template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::send(SourceId source, const PacketMessage& message) {
  WEFT_ASSERT(message.bytes > 0 && (message.from != message.to || is_leaf(message.from.value())));
  require(!message.path.empty() || !Routing::kNeedsPaths,
          "a message has no path (this routing is by path); choose a packet routing, such as "
          "shortest-table");
  check_size(message.bytes, unit_B_);
  check_delay(message.delay, "start-up of a message");
  const std::int32_t index = take_message(Message::make(source, message, now_), message.bytes);
  if (!message.path.empty()) {
    const std::int32_t path = paths_.take();
    messages_[index].path = path;
    paths_[path].clear();
    for (const LinkId link : message.path) paths_[path].push_back(link.value());
    give_channels(messages_[index]);
  }
  enqueue(index, source, message.lane);
}

template <class Routing, Granularity kUnit>
std::int32_t Core<Routing, kUnit>::take_message(const Message& message, std::int64_t bytes) {
  const std::int32_t index = messages_.take();
  messages_[index] = message;
  if (kFlits) {
    injections_.resize(std::max(injections_.size(), place(index) + 1));
    injections_[place(index)] = {.bytes = bytes};
  }
  return index;
}

/// Its sender, or its receiver, is done with it.
template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::forget(std::int32_t message) {
  Message& m = messages_[message];
  if (--m.holders > 0) return;
  if (m.path != kNone) paths_.give_back(m.path);
  messages_.give_back(message);
}

/// The path's links become channels: the next one with each link between routers as long as there
/// are enough, else by the order of links, which a routing of packets beside might not keep.
template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::give_channels(const Message& message) {
  std::vector<std::int32_t>& path = paths_[message.path];
  if (wiring_.topology.has_switches())
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const NodeId node = wiring_.topology.head(LinkId(path[i]));
      require(!wiring_.topology.is_host(node),
              "a path leads through node {}, a host, which passes no packets on (switches do not "
              "join the ends of the message); choose --model fluid",
              node.value());
    }
  const std::size_t first = is_leaf(message.from) ? 1 : 0;
  const std::size_t last = path.size() - (is_leaf(message.to) ? 1 : 0);
  const auto links = static_cast<int>(last - std::min(first, last));
  require(links <= vcs_ || Routing::kNeedsPaths,
          "a path of {} links between routers is too long for {} virtual channels (a packet climbs "
          "one with each); give --vcs {}",
          links, vcs_, links);
  if (links > vcs_ && !order_) order_.emplace(wiring_.topology);
  int vc = 0;
  std::int32_t before = kNone;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::int32_t link = std::exchange(path[i], 0);
    const bool between = i >= first && i < last;
    if (i > first && between) vc += links <= vcs_ || order_->falls(before, link) ? 1 : 0;
    path[i] = channel_of(Choice{link, between ? std::min(vc, vcs_ - 1) : 0});
    before = link;
  }
  require(vc < vcs_,
          "{} virtual channels are too few (a path of {} links between routers is free of deadlock "
          "from {} on); give --vcs {}",
          vcs_, links, vc + 1, vc + 1);
}

/// Gives the message its turn, after those before it in its lane.
template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::enqueue(std::int32_t message, SourceId source, std::int32_t lane) {
  const Message& m = messages_[message];
  prefetch_for(m);
  if (lane < 0) return push(turn_of(m), Kind::turn, message);
  auto& lanes = lanes_[place(source)];
  if (place(lane) >= lanes.size()) lanes.resize(place(lane) + 1);
  const std::int32_t last = std::exchange(lanes[place(lane)].last, message);
  if (last == kNone)
    push(std::max(turn_of(m), lanes[place(lane)].free_at), Kind::turn, message);
  else
    messages_[last].next = message;
}

/// The next packet (or flit) of a message enters the network.
template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::take_turn(std::int32_t message) {
  check_clock(now_);
  const std::int32_t index = packets_.take();
  packets_[index] = next_packet(message);
  if (!kFlits) return route(index);
  front(index);
  go_on();
}

template <class Routing, Granularity kUnit>
PacketState Core<Routing, kUnit>::next_packet(std::int32_t message) {
  Message& m = messages_[message];
  PacketState packet;
  bool head = true, tail = true;
  Time turn = now_;
  if constexpr (kFlits) {
    Injection& injection = injections_[place(message)];
    head = injection.packet_left == 0;
    if (head) {
      injection.packet_left = static_cast<std::int32_t>(std::min(m.to_inject, options_.packet_B));
      injection.packet_turn = now_;
    }
    turn = injection.packet_turn;
    packet.bytes = std::min(injection.packet_left, static_cast<std::int32_t>(options_.flit_B));
    injection.packet_left -= packet.bytes;
    tail = injection.packet_left == 0;
  } else {
    packet.bytes = static_cast<std::int32_t>(std::min(m.to_inject, options_.packet_B));
  }
  packet.created = turn - options_.adapter_delay_ps;
  packet.tail = now_;
  packet.message = message;
  packet.owner = m.source;
  packet.source = packet.node = m.from;
  packet.destination = m.to;
  packet.router = wiring_.router[place(m.to)];
  packet.flags = static_cast<std::uint8_t>(
      (m.started ? 0 : kFirst) | (m.is_acknowledgement ? kAcknowledgement : 0) |
      (m.path == kNone ? 0 : kByPath) | (is_leaf(m.from) ? kFromLeaf : 0) | (head ? kHead : 0) |
      (tail ? kTail : 0));
  if constexpr (Routing::kDrawsByMessage) packet.coin = coin_of(m);
  m.to_inject -= packet.bytes;
  m.started = true;
  return packet;
}

/// Its sender sends nothing else with that tag at that time.
template <class Routing, Granularity kUnit>
std::uint8_t Core<Routing, kUnit>::coin_of(const Message& message) const {
  const auto ends =
      static_cast<std::uint64_t>(message.from) << 32 | static_cast<std::uint64_t>(message.to);
  const auto issued = static_cast<std::uint64_t>(message.issued);
  Rng rng = Rng(options_.seed).split(message.tag).split(issued).split(ends);
  return static_cast<std::uint8_t>(rng.next() >> 56);
}

/// A packet or flit of the message will have left its sender at `time`.
template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::left_sender(std::int32_t message, Time time) {
  const Message& m = messages_[message];
  if (m.to_inject > 0) return push(time, Kind::turn, message);
  if (m.lane >= 0) {
    Lane& lane = lanes_[place(m.source)][place(m.lane)];
    lane.free_at = time;
    if (lane.last == message)
      lane.last = kNone;
    else
      push(std::max(time, turn_of(messages_[m.next])), Kind::turn, m.next);
  }
  if (m.report_injected && !m.is_acknowledgement)
    push(time, Kind::injected, message);
  else
    forget(message);
}

template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::end_injection(std::int32_t message) {
  const SourceId source = messages_[message].source;
  const std::uint64_t tag = messages_[message].tag;
  forget(message);
  sources_[place(source)]->injected(tag);
}

/// The packet or flit is on its last link and will be received at `time`: counted at once, so that
/// only the message needs an event.
template <class Routing, Granularity kUnit>
void Core<Routing, kUnit>::receive(std::int32_t index, Time time) {
  const PacketState& packet = packets_[index];
  const std::int32_t message = packet.message;
  if (!(packet.flags & kAcknowledgement)) {
    tallies_[packet.owner].received(packet.bytes);
    if (packet.flags & kTail)
      tallies_[packet.owner].tail_received(time - packet.created, packet.routers);
  }
  Message& m = messages_[message];
  m.to_receive -= packet.bytes;
  m.received = std::max(m.received, time);
  packets_.give_back(index);
  if (m.to_receive == 0) push(m.received, Kind::finish, message);
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
  const std::int32_t there = message.path;
  const std::int32_t index = take_message(message.acknowledgement(options_.acknowledgement_B, now_),
                                          options_.acknowledgement_B);
  if (there != kNone) {  // `message` may have moved
    const std::int32_t back = paths_.take();
    messages_[index].path = back;
    paths_[back].clear();
    for (auto channel = paths_[there].rbegin(); channel != paths_[there].rend(); ++channel) {
      const auto reverse = wiring_.topology.reverse(LinkId(link_of(*channel)));
      require(reverse.has_value(),
              "an acknowledgement cannot go back over a one-way link; use release delivered");
      paths_[back].push_back(reverse->value());
    }
    give_channels(messages_[index]);
  }
  enqueue(index, messages_[index].source, -1);
}

}  // namespace weft::simulation::packet
