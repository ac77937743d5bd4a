// The packet engine: output-buffered routers, one event per hop.
//
// The model. Each virtual channel of a link has a buffer of stated size. A packet that has
// traversed a router (or has its turn at its sender's adapter) asks for an output channel; when the
// channel has credits for all of it, it takes them and enters the output's queue, else it waits
// where it is and keeps its place there, in the order of asking. A buffer thus spans the output
// queue, the link and the input behind it, as in CODES. The link serves what entered in order, so
// that the time at which a packet leaves is known when it enters:
//
//     start = max(now, link free),   end = max(start + bytes / bandwidth, tail ready)
//
// and the next event of the packet is the arrival of its head (or its tail, store-and-forward) at
// the next router. Its place in the buffer it left is free once its tail has entered the queue, and
// counts at the sender one credit delay later. A packet that comes over a slower link
// holds a faster one for as long as it comes.
//
// Why it is fast. An uncongested hop is one event, one packet, two links, two channels: five cache
// lines, which are prefetched while earlier events are handled. There is no event for a free port
// (times are computed), nor for a credit nobody waits for (channels.hpp). A waiting packet costs
// one event more, its credit's.
//
// Zero load: a packet of b bytes over links with latencies L_i, send times b / B_i and r routers of
// delay R takes, adapters at either end A,
//     cut-through:        2 A + sum L_i + r R + max b / B_i
//     store-and-forward:  2 A + sum L_i + r R + sum b / B_i.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/channels.hpp"
#include "weft/simulation/packet/deadlock.hpp"
#include "weft/simulation/packet/event_wheel.hpp"
#include "weft/simulation/packet/messages.hpp"
#include "weft/simulation/packet/routing.hpp"
#include "weft/simulation/packet/tally.hpp"
#include "weft/simulation/packet/wiring.hpp"

namespace weft::simulation::packet {

template <class Routing>
class Core final : public PacketEngine {
 public:
  /// `routing` was made from the same wiring.
  Core(Wiring wiring, const PacketOptions& options, Routing routing);

  SourceId add(PacketSource& source) override {
    sources_.push_back(&source);
    tallies_.emplace_back(wiring_.topology.class_names().size());
    lanes_.emplace_back();
    return static_cast<SourceId>(sources_.size() - 1);
  }
  void run() override;

  Time now() const override { return now_; }
  void send(SourceId source, const PacketMessage& message) override;
  void wake(SourceId source, Time time, std::uint32_t what) override {
    WEFT_ASSERT(time >= now_);
    push(time, Kind::wake, static_cast<std::int32_t>(what), source);
  }
  void stop() override { stopped_ = true; }

  TrafficStatistics traffic(SourceId source) const override {
    return tallies_[place(source)].statistics(wiring_.topology.class_names());
  }
  EngineStatistics statistics() const override;
  std::vector<std::int64_t> link_bytes() const override {
    std::vector<std::int64_t> bytes;
    for (const Link& link : wiring_.links) bytes.push_back(link.bytes);
    return bytes;
  }

 private:
  enum class Kind : std::uint8_t { route, receive, credit, turn, wake };
  enum Flags : std::uint8_t { kFirst = 1, kAcknowledgement = 2, kByPath = 4, kFromLeaf = 8 };

  void push(Time time, Kind kind, std::int32_t id, std::int32_t extra = 0) {
    wheel_.push({time, static_cast<std::uint32_t>(id),
                 static_cast<std::uint32_t>(extra) << 8 | static_cast<std::uint32_t>(kind)});
  }
  static Kind kind_of(const Event& event) { return static_cast<Kind>(event.what & 0xff); }
  static bool is_about_packet(const Event& event) { return kind_of(event) <= Kind::receive; }
  void handle(const Event& event);
  void prefetch();
  void prefetch_for(const PacketState& packet, Kind kind);
  void prefetch_for(const Message& message);

  void check_path(const PacketMessage& message) const;
  void enqueue(std::int32_t message, SourceId source, std::int32_t lane);
  void take_turn(std::int32_t message);
  void end_injection(std::int32_t message);
  void route(std::int32_t packet);
  bool is_foreseeable(const PacketState& packet) const;
  Choice choose(PacketState& packet);
  void ask(std::int32_t packet, Choice choice);
  void transmit(std::int32_t packet, Choice choice);
  void return_credit(std::int32_t channel, std::int32_t bytes, Time freed);
  void add_credit(std::int32_t channel, std::int32_t bytes);
  void start_waiting(std::int32_t packet, std::int32_t channel);
  void receive(std::int32_t packet);
  void finish(std::int32_t message);
  void acknowledge(const Message& message);
  void forget(std::int32_t message) {
    if (--messages_[message].holders == 0) messages_.give_back(message);
  }
  void check_end() const;

  std::int32_t channel_of(Choice choice) const { return choice.link * vcs_ + choice.vc; }
  Choice choice_of(std::int32_t channel) const { return {channel / vcs_, channel % vcs_}; }
  bool is_leaf(std::int32_t node) const { return wiring_.leaves[place(node)].up != kNone; }
  Link& link(std::int32_t index) { return wiring_.links[place(index)]; }

  Wiring wiring_;
  PacketOptions options_;
  Routing routing_;
  std::int32_t vcs_;
  bool store_and_forward_;
  Time now_ = 0;
  bool stopped_ = false;
  EventWheel wheel_;
  std::vector<Channel> channels_;  // by link * vcs + vc
  Pool<PacketState> packets_;
  Pool<Message> messages_;
  std::vector<PacketSource*> sources_;
  std::vector<Tally> tallies_;                    // by source
  std::vector<std::vector<std::int32_t>> lanes_;  // by source and lane: its last message
  std::int64_t events_ = 0, packet_hops_ = 0;
};

/// The calendar's grain: half of what a hop takes at least, up to 4 ns.
int wheel_shift(const Wiring& wiring, const PacketOptions& options);
/// Throws InvalidInput unless `vcs` is 0 or enough; what to build.
int checked_vcs(const PacketOptions& options, int needed);
/// Throws InvalidInput when the machine has less memory than the network needs.
void check_memory(const Wiring& wiring, int vcs);

template <class Routing>
Core<Routing>::Core(Wiring wiring, const PacketOptions& options, Routing routing)
    : wiring_(std::move(wiring)),
      options_(options),
      routing_(std::move(routing)),
      vcs_(checked_vcs(options, routing_.vcs())),
      store_and_forward_(options.switching == Switching::store_and_forward),
      wheel_(wheel_shift(wiring_, options)) {
  check_memory(wiring_, vcs_);
  channels_.resize(wiring_.links.size() * place(vcs_));
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    channels_[c].credits = channels_[c].least = wiring_.buffers_B[c / place(vcs_)];
    channels_[c].credit_ps = wiring_.credits_ps[c / place(vcs_)];
  }
}

template <class Routing>
void Core<Routing>::run() {
  for (PacketSource* source : sources_) source->begin();
  Event event;
  while (!stopped_ && wheel_.pop(event)) {
    prefetch();
    now_ = event.time;
    ++events_;
    handle(event);
  }
  if (!stopped_) check_end();
}

template <class Routing>
void Core<Routing>::handle(const Event& event) {
  const auto id = static_cast<std::int32_t>(event.id);
  const auto extra = static_cast<std::int32_t>(event.what >> 8);
  switch (kind_of(event)) {
    case Kind::route:
      return route(id);
    case Kind::receive:
      return receive(id);
    case Kind::credit:
      return add_credit(id, extra);
    case Kind::turn:
      return take_turn(id);
    case Kind::wake:
      return sources_[place(extra)]->wake(event.id);
  }
}

/// Fetches what events to come need: the packets first, then what those name.
template <class Routing>
void Core<Routing>::prefetch() {
  constexpr std::size_t kFar = 28, kNear = 12;
  if (const Event* event = wheel_.peek(kFar); event != nullptr) {
    const auto id = static_cast<std::int32_t>(event->id);
    if (is_about_packet(*event))
      __builtin_prefetch(&packets_[id]);
    else if (kind_of(*event) == Kind::turn)
      __builtin_prefetch(&messages_[id]);
  }
  if (const Event* event = wheel_.peek(kNear); event != nullptr) {
    const auto id = static_cast<std::int32_t>(event->id);
    if (is_about_packet(*event))
      prefetch_for(packets_[id], kind_of(*event));
    else if (kind_of(*event) == Kind::turn)
      prefetch_for(messages_[id]);
  }
}

template <class Routing>
void Core<Routing>::prefetch_for(const PacketState& packet, Kind kind) {
  if (kind == Kind::receive) return __builtin_prefetch(&messages_[packet.message]);
  __builtin_prefetch(&channels_[place(packet.link * vcs_ + packet.vc)]);
  if (packet.want == kNone) return;
  __builtin_prefetch(&link(packet.want / vcs_));
  __builtin_prefetch(&channels_[place(packet.want)]);
}

template <class Routing>
void Core<Routing>::prefetch_for(const Message& message) {
  const std::int32_t up = wiring_.leaves[place(message.from)].up;
  if (up == kNone || message.to_inject == 0) return;
  __builtin_prefetch(&link(up));
  __builtin_prefetch(&channels_[place(up * vcs_)]);
}

template <class Routing>
void Core<Routing>::send(SourceId source, const PacketMessage& message) {
  WEFT_ASSERT(message.bytes > 0 && message.from != message.to);
  require(!message.path.empty() || !Routing::kNeedsPaths,
          "a message has no path (the routing is by path); give one, or choose a packet routing");
  check_path(message);
  const std::int32_t index = messages_.take();
  Message& m = messages_[index];
  m.reset(source, message, now_);
  enqueue(index, source, message.lane);
}

template <class Routing>
void Core<Routing>::check_path(const PacketMessage& message) const {
  const int links = static_cast<int>(message.path.size()) -
                    (is_leaf(message.from.value()) ? 1 : 0) - (is_leaf(message.to.value()) ? 1 : 0);
  require(links <= routing_.longest_path(vcs_),
          "a path of {} links between routers is too long for {} virtual channels (a packet climbs "
          "one with each); {} are needed",
          links, vcs_, links);
}

/// Gives the message its turn, after those before it in its lane.
template <class Routing>
void Core<Routing>::enqueue(std::int32_t message, SourceId source, std::int32_t lane) {
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

/// The next packet of a message enters the network, or its last one has left.
template <class Routing>
void Core<Routing>::take_turn(std::int32_t message) {
  if (messages_[message].to_inject == 0) return end_injection(message);
  const std::int32_t index = packets_.take();
  Message& m = messages_[message];
  PacketState& packet = packets_[index];
  const bool first = m.to_inject == m.bytes;
  packet = {};
  packet.created = now_ - options_.adapter_delay_ps;
  packet.tail = now_;
  packet.message = message;
  packet.owner = static_cast<std::uint16_t>(m.source);
  packet.bytes = static_cast<std::int32_t>(std::min(m.to_inject, options_.packet_B));
  packet.source = packet.node = m.from;
  packet.destination = m.to;
  packet.router = wiring_.router[place(m.to)];
  packet.flags = static_cast<std::uint8_t>(
      (first ? kFirst : 0) | (m.is_acknowledgement ? kAcknowledgement : 0) |
      (m.path.empty() ? 0 : kByPath) | (is_leaf(m.from) ? kFromLeaf : 0));
  m.to_inject -= packet.bytes;
  route(index);
}

template <class Routing>
void Core<Routing>::end_injection(std::int32_t message) {
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

template <class Routing>
void Core<Routing>::route(std::int32_t index) {
  PacketState& packet = packets_[index];
  ask(index, packet.want == kNone ? choose(packet) : choice_of(packet.want));
}

/// Whether the next link does not depend on queues.
template <class Routing>
bool Core<Routing>::is_foreseeable(const PacketState& packet) const {
  return packet.node == packet.router || (packet.flags & kByPath) != 0 ||
         !routing_.looks_at_queues(packet);
}

template <class Routing>
Choice Core<Routing>::choose(PacketState& packet) {
  const bool at_leaf = packet.link == kNone && (packet.flags & kFromLeaf) != 0;
  if (packet.node == packet.router) return {wiring_.leaves[place(packet.destination)].down, 0};
  if (at_leaf) return {wiring_.leaves[place(packet.node)].up, 0};
  if (packet.flags & kByPath) {
    const std::size_t crossed = packet.routers + (packet.flags & kFromLeaf ? 1u : 0u);
    return {messages_[packet.message].path[crossed], routing_.path_vc(packet)};
  }
  return routing_.choose(packet, QueueView(wiring_.links, now_));
}

/// Lets the packet enter the output's queue if there is room behind, else wait.
template <class Routing>
void Core<Routing>::ask(std::int32_t packet, Choice choice) {
  const std::int32_t index = channel_of(choice);
  Channel& channel = channels_[place(index)];
  channel.fold(now_);
  if (!channel.waited_for() && channel.credits >= packets_[packet].bytes)
    transmit(packet, choice);
  else
    start_waiting(packet, index);
}

template <class Routing>
void Core<Routing>::transmit(std::int32_t index, Choice choice) {
  PacketState& packet = packets_[index];
  Channel& channel = channels_[place(channel_of(choice))];
  Link& out = link(choice.link);
  const Time send_ps = packet.bytes == options_.packet_B
                           ? out.packet_ps
                           : serialisation_ps(packet.bytes, out.bandwidth_Bps);
  const Time start = std::max(now_, out.free_at);
  out.free_at = std::max(start + send_ps, packet.tail);
  out.bytes += packet.bytes;
  channel.credits -= packet.bytes;
  channel.least = std::min(channel.least, channel.credits);
  if (packet.link == kNone)
    push(out.free_at, Kind::turn, packet.message);
  else
    return_credit(packet.link * vcs_ + packet.vc, packet.bytes, std::max(now_, packet.tail));
  ++packet_hops_;
  if (!(packet.flags & kAcknowledgement))
    tallies_[packet.owner].crossed(out.link_class, packet.bytes, packet.flags & kFirst);

  const Time head = start + out.latency_ps, tail = out.free_at + out.latency_ps;
  if (packet.link != kNone || !(packet.flags & kFromLeaf)) ++packet.routers;
  packet.link = choice.link;
  packet.vc = static_cast<std::uint8_t>(choice.vc);
  packet.node = out.head;
  if (packet.node == packet.destination) {
    return_credit(channel_of(choice), packet.bytes, tail);
    return push(tail + options_.adapter_delay_ps, Kind::receive, index);
  }
  packet.want = is_foreseeable(packet) ? channel_of(choose(packet)) : kNone;
  packet.tail = tail + options_.router_delay_ps;
  push(store_and_forward_ ? packet.tail : head + options_.router_delay_ps, Kind::route, index);
}

/// `bytes` more of the channel's buffer are free from `freed` on; its sender knows later.
template <class Routing>
void Core<Routing>::return_credit(std::int32_t index, std::int32_t bytes, Time freed) {
  Channel& channel = channels_[place(index)];
  const Time time = freed + channel.credit_ps;
  if (channel.waited_for() || !channel.note(time, bytes)) push(time, Kind::credit, index, bytes);
}

template <class Routing>
void Core<Routing>::add_credit(std::int32_t index, std::int32_t bytes) {
  const Choice choice = choice_of(index);
  channels_[place(index)].credits += bytes;
  while (true) {
    Channel& channel = channels_[place(index)];
    const std::int32_t first = channel.first_waiting;
    if (first == kNone || channel.credits < packets_[first].bytes) return;
    PacketState& packet = packets_[first];
    channel.first_waiting = packet.next;
    packet.next = kNone;
    Link& out = link(choice.link);
    out.waiting_ps -= serialisation_ps(packet.bytes, out.bandwidth_Bps);
    transmit(first, choice);
  }
}

/// From now on each returned credit of the channel is an event.
template <class Routing>
void Core<Routing>::start_waiting(std::int32_t index, std::int32_t channel_index) {
  Channel& channel = channels_[place(channel_index)];
  PacketState& packet = packets_[index];
  packet.want = channel_index;
  packet.next = kNone;
  Link& out = link(channel_index / vcs_);
  out.waiting_ps += serialisation_ps(packet.bytes, out.bandwidth_Bps);
  if (channel.waited_for()) {
    packets_[channel.last_waiting].next = index;
  } else {
    channel.first_waiting = index;
    for (std::int32_t i = 0; i < channel.pending; ++i)
      push(channel.times[i], Kind::credit, channel_index, channel.amounts[i]);
    channel.pending = 0;
  }
  channel.last_waiting = index;
}

template <class Routing>
void Core<Routing>::receive(std::int32_t index) {
  const PacketState& packet = packets_[index];
  const std::int32_t message = packet.message;
  if (!(packet.flags & kAcknowledgement))
    tallies_[packet.owner].received(now_ - packet.created, packet.routers, packet.bytes);
  Message& m = messages_[message];
  m.to_receive -= packet.bytes;
  packets_.give_back(index);
  if (m.to_receive == 0) finish(message);
}

template <class Routing>
void Core<Routing>::finish(std::int32_t message) {
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
template <class Routing>
void Core<Routing>::acknowledge(const Message& message) {
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

/// All is delivered and all credits are home; packets that wait for ever are a deadlock.
template <class Routing>
void Core<Routing>::check_end() const {
  if (packets_.in_use() > 0) report_deadlock(wiring_, vcs_, packets_, channels_);
  WEFT_ASSERT(messages_.in_use() == 0);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    Channel channel = channels_[c];
    channel.fold(std::numeric_limits<Time>::max());
    WEFT_ASSERT(channel.credits == wiring_.buffers_B[c / place(vcs_)]);
  }
}

template <class Routing>
EngineStatistics Core<Routing>::statistics() const {
  EngineStatistics s;
  s.events = events_;
  s.packet_hops = packet_hops_;
  s.peak_packets = packets_.peak();
  s.memory_B =
      packets_.memory_B() + messages_.memory_B() +
      static_cast<std::int64_t>(wheel_.memory_B() + channels_.capacity() * sizeof(Channel) +
                                wiring_.links.capacity() * sizeof(Link));
  s.max_buffered_B.resize(wiring_.topology.class_names().size());
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const std::size_t l = c / place(vcs_);
    auto& most = s.max_buffered_B[place(wiring_.links[l].link_class)];
    most = std::max<std::int64_t>(most, wiring_.buffers_B[l] - channels_[c].least);
  }
  return s;
}

}  // namespace weft::simulation::packet

/// Defines an engine maker: `make_routing(RoutingContext)` gives the routing.
#define WEFT_PACKET_ENGINE(function, make_routing)                                             \
  std::unique_ptr<PacketEngine> function(const Fabric& fabric, const PacketOptions& options) { \
    Wiring wiring(fabric, options);                                                            \
    auto routing = make_routing(RoutingContext{wiring, options});                              \
    return std::make_unique<Core<decltype(routing)>>(std::move(wiring), options,               \
                                                     std::move(routing));                      \
  }
