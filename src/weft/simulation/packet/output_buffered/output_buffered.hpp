// Output-buffered routers, one event per hop.
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
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/engine/channels.hpp"
#include "weft/simulation/packet/engine/deadlock.hpp"
#include "weft/simulation/packet/engine/message_engine.hpp"
#include "weft/simulation/packet/engine/worms.hpp"

namespace weft::simulation::packet {

template <Granularity kUnit>
class OutputBuffered final : public MessageEngine {
 public:
  /// `routing` was made from the same wiring and needs so many channels; where there is none, every
  /// message brings a path.
  OutputBuffered(LinkWiring wiring, const PacketOptions& options, int channels,
                 std::unique_ptr<HopRouting> routing);

  void run() override;

  EngineStatistics statistics() const override;
  std::vector<std::int64_t> link_bytes() const override {
    std::vector<std::int64_t> bytes(wiring_.links.size());
    for (std::size_t l = 0; l < bytes.size(); ++l) bytes[l] = wiring_.links[l].bytes;
    return bytes;
  }
  std::vector<std::int64_t> link_peaks_B() const override;

 private:
  static constexpr bool kFlits = kUnit == Granularity::flit;

  /// For one packet or flit.
  class ChannelRoom final : public network::Room {
   public:
    ChannelRoom(const OutputBuffered& engine, const PacketState& packet)
        : engine_(engine), bytes_(engine.room_for(packet)) {}
    bool has_room(std::int32_t link, std::int32_t vc) const override;

   private:
    const OutputBuffered& engine_;
    std::int32_t bytes_;
  };

  void handle(const Event& event);
  [[gnu::always_inline]] void prefetch();
  [[gnu::always_inline]] void prefetch_for(const PacketState& packet);
  [[gnu::always_inline]] void prefetch_for(const Message& message);
  void foresee(const Message& message) override { prefetch_for(message); }
  void keep_house(Time now);
  void sweep(Time now);
  void watch_circles();
  void sample(Time time);

  void take_turn(std::int32_t message) override;
  PacketState next_packet(std::int32_t message);
  PacketState next_flit(std::int32_t message);
  // From here on an index is that of a packet or flit, with credits and take_waiting of a channel.
  void route(std::int32_t index);
  bool is_foreseeable(const PacketState& packet) const;
  Choice choose(PacketState& packet);
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

  void append(std::int32_t index, std::int32_t& first, std::int32_t& last) {  // to a queue
    packets_[index].next = kNone;
    (first == kNone ? first : packets_[last].next) = index;
    last = index;
  }
  void arrive(std::int32_t index);
  void front(std::int32_t index);
  void ask_as_owner(std::int32_t index);
  Time packet_ps(const PacketState& head) const;
  void move_up(const PacketState& flit, std::int32_t from);
  void empties(std::int32_t channel, const PacketState& flit, Time freed);
  void give_up(std::int32_t channel);
  void reopen(std::int32_t channel);
  void go_on();

  void check_end() const;
  std::vector<std::int32_t> find_waits() const;

  using MessageEngine::channel_of;
  std::int32_t channel_of(const PacketState& packet) const {  // whose buffer holds it
    return packet.link << vc_bits_ | packet.vc;
  }
  Link& link(std::int32_t index) { return wiring_.links[place(index)]; }
  const Injection& injection(std::int32_t message) const { return injections_[place(message)]; }

  std::unique_ptr<HopRouting> routing_;
  bool is_adaptive_, looks_for_room_, draws_by_message_;  // as the routing says
  bool store_and_forward_, wormhole_;
  bool until_empty_;  // a packet keeps its channel
  Arbitration arbitration_;
  std::vector<Channel> channels_;      // by channel_of()
  std::vector<Waiting> waiting_;       // likewise
  std::vector<Worm> worms_;            // likewise, of flits
  std::vector<std::int32_t> moved_;    // flits that may go on: at the front of a buffer, or ~owners
  std::vector<Injection> injections_;  // by message, of flits
  std::vector<std::int32_t> circle_;   // of channels that waited for each other at the last sweep
  std::int64_t circle_bytes_ = 0;      // that had crossed its links
  std::int64_t packet_hops_ = 0;
  Time next_sweep_ = Channel::kHorizon, next_chore_;
};

/// Throws InvalidInput when the machine has less memory than the network needs.
void check_memory(const LinkWiring& wiring, int vcs);

}  // namespace weft::simulation::packet
