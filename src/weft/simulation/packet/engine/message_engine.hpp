// MessageEngine: the hosts' side of the packet engine, whichever routers lie between them.
//
// Messages become packets at their sender and are put together at their receiver. How packets go
// from one adapter to another is the policy of the class that is made from this one:
// output_buffered/, input_queued/ and codes/. It gives a message its packets by packet_of() when
// the message has its turn, says left_sender() when one has left and receive() when one is on its
// last link; in return it is asked to take_turn().
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/engine/adapters.hpp"
#include "weft/simulation/packet/engine/event_wheel.hpp"
#include "weft/simulation/packet/engine/link_wiring.hpp"
#include "weft/simulation/packet/engine/messages.hpp"
#include "weft/simulation/packet/engine/path_order.hpp"
#include "weft/simulation/packet/engine/tally.hpp"
#include "weft/simulation/packet/engine/time_series.hpp"

namespace weft::simulation::packet {

class MessageEngine : public PacketEngine {
 public:
  SourceId add(PacketSource& source) final {
    sources_.push_back(&source);
    tallies_.emplace_back(wiring_.topology.class_names().size());
    lanes_.emplace_back();
    return static_cast<SourceId>(sources_.size() - 1);
  }
  void watch(std::function<void()> beat) final { beat_ = std::move(beat); }

  Time now() const final { return now_; }
  void send(SourceId source, const PacketMessage& message) final;
  void wake(SourceId source, Time time, std::uint32_t what) final {
    WEFT_ASSERT(time >= now_);
    push(time, Kind::wake, static_cast<std::int32_t>(what), source);
  }
  void stop() final { stopped_ = true; }

  TrafficStatistics traffic(SourceId source) const final {
    return tallies_[place(source)].statistics(wiring_.topology.class_names());
  }
  std::vector<TrafficSample> samples() const final { return series_.samples(); }
  EngineStatistics statistics() const final;
  std::vector<std::int64_t> link_bytes() const final;

 protected:
  enum class Kind : std::uint8_t {
    route,
    credit,
    turn,      // of a message, and so on to reply
    injected,  // it has left
    finish,    // it is there
    enter,     // it is at its sender's adapter, one that it may have to wait for
    arrive,    // likewise at its receiver's
    reply,     // it is to be acknowledged
    wake,
    look,  // what it is depends on the routers
  };
  enum Flags : std::uint8_t {
    kFirst = 1,  // of its message
    kAcknowledgement = 2,
    kByPath = 4,
    kFromLeaf = 8,
    kHead = 16,  // of its packet
    kTail = 32,
    kEnd = 64,  // of its message: one of the last bytes, as the routers have it
  };
  static constexpr std::int64_t kBeat = 1 << 18;  // events from one beat to the next

  /// Paths climb `channels` of a link; every message brings one where `only_paths` says so.
  MessageEngine(LinkWiring wiring, const PacketOptions& options, int channels, bool only_paths);

  /// Its next packet is to be sent, now.
  virtual void take_turn(std::int32_t message) = 0;
  /// Bytes of memory beside those of messages, packets and events.
  virtual std::int64_t routers_memory_B() const = 0;
  /// A message that will have its turn soon.
  virtual void foresee(const Message& /*message*/) {}

  void push(Time time, Kind kind, std::int32_t id, std::int32_t extra = 0) {
    wheel_.push({time, static_cast<std::uint32_t>(id),
                 static_cast<std::uint32_t>(extra) << 8 | static_cast<std::uint32_t>(kind)});
  }
  static Kind kind_of(const Event& event) { return static_cast<Kind>(event.what & 0xff); }
  static std::int32_t extra_of(const Event& event) {
    return static_cast<std::int32_t>(event.what >> 8);
  }
  static bool is_about_message(const Event& event) {
    return kind_of(event) >= Kind::turn && kind_of(event) <= Kind::reply;
  }
  /// What is none of kind route, credit and look.
  void handle(const Event& event);

  PacketState packet_of(std::int32_t message, std::int32_t bytes);
  std::uint8_t coin_of(const Message& message) const;
  /// Whether the message goes on now; if not, it will have another turn.
  bool has_turn(std::int32_t message) {
    return !adapters_.in_order() || messages_[message].started || may_leave(message);
  }
  void left_sender(std::int32_t message, Time time);
  void receive(const PacketState& packet, Time time, Time notice = 0);
  void crossed(const PacketState& packet, const LinkKind& link, std::int32_t bytes, bool head) {
    if (packet.flags & kAcknowledgement) return;
    tallies_[packet.owner].crossed(link.link_class, bytes);
    if (head) tallies_[packet.owner].head_crossed(link.link_class, packet.flags & kFirst);
  }

  // Channels are numbered by link and virtual channel, a power of two of them for each link.
  std::int32_t channel_of(Choice choice) const { return choice.link << vc_bits_ | choice.vc; }
  std::int32_t link_of(std::int32_t channel) const { return channel >> vc_bits_; }
  Choice choice_of(std::int32_t channel) const {
    return {link_of(channel), channel & ((1 << vc_bits_) - 1)};
  }
  /// Of the links of a packet's path the one that it takes now.
  Choice next_of_path(const PacketState& packet) const {
    const std::size_t crossed = packet.routers + (packet.flags & kFromLeaf ? 1u : 0u);
    WEFT_ASSERT(crossed < paths_[messages_[packet.message].path].size());
    return choice_of(paths_[messages_[packet.message].path][crossed]);
  }
  bool is_leaf(std::int32_t node) const { return wiring_.leaves[place(node)].up != kNone; }
  Time turn_of(const Message& message) const { return message.issued + options_.adapter_delay_ps; }

  LinkWiring wiring_;
  PacketOptions options_;
  int vcs_;
  int vc_bits_;          // 2^vc_bits_ >= vcs_
  std::int64_t unit_B_;  // of a full packet, or flit
  Time now_ = 0;
  bool stopped_ = false;
  EventWheel wheel_;
  Pool<PacketState> packets_;
  Pool<Message> messages_;
  Pool<std::vector<std::int32_t>> paths_;  // channels
  std::vector<PacketSource*> sources_;
  std::vector<Tally> tallies_;            // by source
  std::vector<std::vector<Lane>> lanes_;  // by source and lane
  std::int64_t events_ = 0, packet_hops_ = 0;
  std::function<void()> beat_;
  TimeSeries series_;

 private:
  std::int32_t take_message(const Message& message);
  void forget(std::int32_t message);
  void give_channels(const Message& message);
  void push_turn(std::int32_t message, Time not_before);
  bool may_leave(std::int32_t message);
  void enqueue(std::int32_t message, SourceId source, std::int32_t lane);
  void end_injection(std::int32_t message);
  void finish(std::int32_t message);
  void acknowledge(const Message& message);
  void reply(std::int32_t message);

  Adapters adapters_;
  bool only_paths_;
  std::optional<PathOrder> order_;  // once a path has more links than there are channels
};

/// The packet or flit is on its last link and will be received at `time`: counted at once, so that
/// only the message needs an event. If it is the last one, its receiver hears of the message
/// `notice` later.
inline void MessageEngine::receive(const PacketState& packet, Time time, Time notice) {
  if (!(packet.flags & kAcknowledgement)) {
    tallies_[packet.owner].received(packet.bytes);
    if (packet.flags & kTail)
      tallies_[packet.owner].tail_received(time - packet.created, packet.routers);
  }
  Message& m = messages_[packet.message];
  m.to_receive -= packet.bytes;
  WEFT_ASSERT(m.to_receive >= 0);
  m.received = std::max(m.received, time);
  if (m.to_receive > 0) return;
  if (adapters_.hold())
    push(m.received - options_.adapter_delay_ps + notice, Kind::arrive, packet.message);
  else
    push(m.received + notice, Kind::finish, packet.message);
}

/// The next bytes of a message, as a packet of its own.
inline PacketState MessageEngine::packet_of(std::int32_t message, std::int32_t bytes) {
  Message& m = messages_[message];
  WEFT_ASSERT(bytes >= 0 && bytes <= m.to_inject);
  PacketState packet;
  packet.bytes = bytes;
  packet.created = now_ - options_.adapter_delay_ps;
  packet.tail = now_;
  packet.message = message;
  packet.owner = m.source;
  packet.source = packet.node = m.from;
  packet.destination = m.to;
  packet.router = wiring_.router[place(m.to)];
  packet.flags = static_cast<std::uint8_t>(
      (m.started ? 0 : kFirst) | (m.is_acknowledgement ? kAcknowledgement : 0) |
      (m.path == kNone ? 0 : kByPath) | (is_leaf(m.from) ? kFromLeaf : 0) | kHead | kTail);
  m.to_inject -= bytes;
  m.started = true;
  return packet;
}

/// A packet or flit of the message will have left its sender at `time`.
inline void MessageEngine::left_sender(std::int32_t message, Time time) {
  const Message& m = messages_[message];
  if (m.to_inject > 0) return push(time, Kind::turn, message);
  if (m.lane >= 0) {
    Lane& lane = lanes_[place(m.source)][place(m.lane)];
    lane.free_at = time;
    if (lane.last == message)
      lane.last = kNone;
    else
      push_turn(m.next, time);
  }
  if (adapters_.in_order())
    if (const std::int32_t next = adapters_.next(m.from, time); next != kNone)
      push(time, Kind::turn, next);
  if (m.report_injected && !m.is_acknowledgement)
    push(time, Kind::injected, message);
  else
    forget(message);
}

/// Its sender, or its receiver, is done with it.
inline void MessageEngine::forget(std::int32_t message) {
  Message& m = messages_[message];
  WEFT_ASSERT(m.holders > 0);
  if (--m.holders > 0) return;
  if (m.path != kNone) paths_.give_back(m.path);
  messages_.give_back(message);
}

inline void MessageEngine::handle(const Event& event) {
  const auto id = static_cast<std::int32_t>(event.id);
  switch (kind_of(event)) {
    case Kind::turn:
      if (has_turn(id)) take_turn(id);
      return;
    case Kind::enter:
      return push(adapters_.pass(messages_[id].from, Adapters::Side::send, now_), Kind::turn, id);
    case Kind::arrive:
      return push(adapters_.pass(messages_[id].to, Adapters::Side::receive, now_), Kind::finish,
                  id);
    case Kind::reply:
      return reply(id);
    case Kind::injected:
      return end_injection(id);
    case Kind::finish:
      return finish(id);
    case Kind::wake:
      return sources_[place(extra_of(event))]->wake(event.id);
    case Kind::route:
    case Kind::credit:
    case Kind::look:
      break;
  }
  WEFT_ASSERT(false);
}

/// The calendar's grain: half of what a hop takes at least, up to 4 ns.
int wheel_shift(const LinkWiring& wiring, const PacketOptions& options);
/// Channels of a link where messages bring their paths, of which `asked` are wished for (0: as many
/// as the longest shortest path has links between routers, unless that is too many).
int channels_of_paths(const LinkWiring& wiring, int asked);
/// Throws InvalidInput unless `vcs` is 0 or enough; what to build.
int checked_vcs(const PacketOptions& options, int needed);
/// Throw InvalidInput: for a message of a billion packets or flits, and when 64 bits of picoseconds
/// are about to run out.
void check_size(std::int64_t bytes, std::int64_t unit_B);
void check_clock(Time now);

}  // namespace weft::simulation::packet
