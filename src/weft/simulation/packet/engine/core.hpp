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
// Why it is fast. An uncongested hop is one event, one packet, one link, two channels: five cache
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
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/engine/channels.hpp"
#include "weft/simulation/packet/engine/deadlock.hpp"
#include "weft/simulation/packet/engine/event_wheel.hpp"
#include "weft/simulation/packet/engine/link_wiring.hpp"
#include "weft/simulation/packet/engine/messages.hpp"
#include "weft/simulation/packet/engine/tally.hpp"
#include "weft/simulation/packet/engine/time_series.hpp"
#include "weft/simulation/packet/engine/worms.hpp"
#include "weft/simulation/packet/routing/path_order.hpp"
#include "weft/simulation/packet/routing/routing.hpp"

namespace weft::simulation::packet {

template <class Routing, Granularity kUnit>
class Core final : public PacketEngine {
 public:
  /// `routing` was made from the same wiring.
  Core(LinkWiring wiring, const PacketOptions& options, Routing routing);

  SourceId add(PacketSource& source) override {
    sources_.push_back(&source);
    tallies_.emplace_back(wiring_.topology.class_names().size());
    lanes_.emplace_back();
    return static_cast<SourceId>(sources_.size() - 1);
  }
  void run() override;
  void watch(std::function<void()> beat) override { beat_ = std::move(beat); }

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
    std::vector<std::int64_t> bytes(wiring_.links.size());
    for (std::size_t l = 0; l < bytes.size(); ++l) bytes[l] = wiring_.links[l].bytes;
    return bytes;
  }
  std::vector<std::int64_t> link_peaks_B() const override;
  std::vector<TrafficSample> samples() const override { return series_.samples(); }

 private:
  enum class Kind : std::uint8_t { route, credit, turn, injected, finish, wake };
  enum Flags : std::uint8_t {
    kFirst = 1,  // of its message
    kAcknowledgement = 2,
    kByPath = 4,
    kFromLeaf = 8,
    kHead = 16,  // of its packet
    kTail = 32,
  };
  static constexpr bool kFlits = kUnit == Granularity::flit;
  static constexpr std::int64_t kBeat = 1 << 18;  // events from one beat to the next

  void push(Time time, Kind kind, std::int32_t id, std::int32_t extra = 0) {
    wheel_.push({time, static_cast<std::uint32_t>(id),
                 static_cast<std::uint32_t>(extra) << 8 | static_cast<std::uint32_t>(kind)});
  }
  static Kind kind_of(const Event& event) { return static_cast<Kind>(event.what & 0xff); }
  static bool is_about_message(const Event& event) {
    return kind_of(event) >= Kind::turn && kind_of(event) <= Kind::finish;
  }
  void handle(const Event& event);
  [[gnu::always_inline]] void prefetch();
  [[gnu::always_inline]] void prefetch_for(const PacketState& packet);
  [[gnu::always_inline]] void prefetch_for(const Message& message);
  void keep_house(Time now);
  void sweep(Time now);
  void watch();
  void sample(Time time);

  void give_channels(const Message& message);
  void enqueue(std::int32_t message, SourceId source, std::int32_t lane);
  void take_turn(std::int32_t message);
  PacketState next_packet(std::int32_t message);
  std::uint8_t coin_of(const Message& message) const;
  void left_sender(std::int32_t message, Time time);
  void end_injection(std::int32_t message);
  // From here on an index is that of a packet or flit, with credits and take_waiting of a channel.
  void route(std::int32_t index);
  bool is_foreseeable(const PacketState& packet) const;
  Choice choose(PacketState& packet);
  RoomView room_view(const PacketState& packet) const;
  void ask(std::int32_t packet, Choice choice);
  void transmit(std::int32_t index, Choice choice);
  void return_credit(std::int32_t index, std::int32_t bytes, Time freed);
  void add_credit(std::int32_t index, std::int32_t bytes);
  void start_waiting(std::int32_t index, std::int32_t channel_index);
  std::int32_t take_waiting(std::int32_t index);
  bool goes_before(const PacketState& candidate, const PacketState& other,
                   std::int32_t served) const;
  /// Bytes that must be free behind a channel before the packet or flit enters it.
  std::int32_t room_for(const PacketState& packet) const {
    if (!kFlits || wormhole_ || !(packet.flags & kHead)) return packet.bytes;
    return static_cast<std::int32_t>(std::min(options_.packet_B, injection(packet.message).bytes));
  }

  void arrive(std::int32_t index);
  void front(std::int32_t index);
  void ask_as_owner(std::int32_t index);
  Time packet_ps(const PacketState& head) const;
  void move_up(const PacketState& flit, std::int32_t from);
  void go_on();

  void receive(std::int32_t index, Time time);
  void finish(std::int32_t message);
  void acknowledge(const Message& message);
  std::int32_t take_message(const Message& message, std::int64_t bytes);
  void forget(std::int32_t message);
  void check_end() const;
  std::vector<std::int32_t> find_waits() const;

  // Channels are numbered by link and virtual channel, a power of two of them for each link.
  std::int32_t channel_of(Choice choice) const { return choice.link << vc_bits_ | choice.vc; }
  std::int32_t channel_of(const PacketState& packet) const {  // whose buffer holds it
    return packet.link << vc_bits_ | packet.vc;
  }
  std::int32_t link_of(std::int32_t channel) const { return channel >> vc_bits_; }
  Choice choice_of(std::int32_t channel) const {
    return {link_of(channel), channel & ((1 << vc_bits_) - 1)};
  }
  bool is_leaf(std::int32_t node) const { return wiring_.leaves[place(node)].up != kNone; }
  Link& link(std::int32_t index) { return wiring_.links[place(index)]; }
  const Injection& injection(std::int32_t message) const { return injections_[place(message)]; }
  Time turn_of(const Message& message) const { return message.issued + options_.adapter_delay_ps; }

  LinkWiring wiring_;
  PacketOptions options_;
  Routing routing_;
  std::int32_t vcs_;
  int vc_bits_;          // 2^vc_bits_ >= vcs_
  std::int64_t unit_B_;  // of a full packet, or flit
  bool store_and_forward_, wormhole_;
  Arbitration arbitration_;
  Time now_ = 0;
  bool stopped_ = false;
  EventWheel wheel_;
  std::vector<Channel> channels_;    // by channel_of()
  std::vector<Waiting> waiting_;     // likewise
  std::vector<Worm> worms_;          // likewise, of flits
  std::vector<std::int32_t> moved_;  // flits that may go on: at the front of a buffer, or ~owners
  Pool<PacketState> packets_;
  Pool<Message> messages_;
  std::vector<Injection> injections_;      // by message, of flits
  Pool<std::vector<std::int32_t>> paths_;  // channels
  std::vector<std::int32_t> circle_;  // of channels that waited for each other at the last sweep
  std::int64_t circle_bytes_ = 0;     // that had crossed its links
  std::optional<PathOrder> order_;    // once a path has more links than there are channels
  std::vector<PacketSource*> sources_;
  std::vector<Tally> tallies_;            // by source
  std::vector<std::vector<Lane>> lanes_;  // by source and lane
  std::int64_t events_ = 0, packet_hops_ = 0;
  std::function<void()> beat_;
  Time next_sweep_ = Channel::kHorizon, next_chore_;
  TimeSeries series_;
};

/// The calendar's grain: half of what a hop takes at least, up to 4 ns.
int wheel_shift(const LinkWiring& wiring, const PacketOptions& options);
/// Throws InvalidInput unless `vcs` is 0 or enough; what to build.
int checked_vcs(const PacketOptions& options, int needed);
/// Throws InvalidInput when the machine has less memory than the network needs.
void check_memory(const LinkWiring& wiring, int vcs);
/// Throw InvalidInput: for a message of a billion packets or flits, and when 64 bits of picoseconds
/// are about to run out.
void check_size(std::int64_t bytes, std::int64_t unit_B);
void check_clock(Time now);

}  // namespace weft::simulation::packet
