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
#include "weft/simulation/packet/engine/channel_engine.hpp"
#include "weft/simulation/packet/engine/channels.hpp"
#include "weft/simulation/packet/engine/worms.hpp"

namespace weft::simulation::packet {

template <Granularity kUnit>
class OutputBuffered final : public ChannelEngine {
 public:
  /// `routing` was made from the same wiring and needs so many channels; where there is none, every
  /// message brings a path.
  OutputBuffered(LinkWiring wiring, const PacketOptions& options, int channels,
                 std::unique_ptr<HopRouting> routing);

  void run() override {
    run_events([this] { prefetch(); }, [this](const Event& event) { handle(event); });
  }

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
  void sweep(Time now) override;
  void sample(Time time) override;

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

  void arrive(std::int32_t index);
  void front(std::int32_t index);
  void ask_as_owner(std::int32_t index);
  Time packet_ps(const PacketState& head) const;
  void move_up(const PacketState& flit, std::int32_t from);
  void empties(std::int32_t channel, const PacketState& flit, Time freed);
  void give_up(std::int32_t channel);
  void reopen(std::int32_t channel);
  void go_on();

  std::vector<std::int32_t> find_waits() const override;
  std::int32_t first_waiting(std::size_t channel) const override {
    return channels_[channel].first_waiting;
  }
  std::int32_t peak_B(std::size_t channel) const override {
    return wiring_.buffers_B[channel >> vc_bits_] - channels_[channel].least;
  }
  bool is_empty(std::size_t channel) const override;
  std::int64_t routers_memory_B() const override;

  const Injection& injection(std::int32_t message) const { return injections_[place(message)]; }

  bool is_adaptive_, looks_for_room_, draws_by_message_;  // as the routing says
  bool store_and_forward_, wormhole_;
  bool until_empty_;  // a packet keeps its channel
  Arbitration arbitration_;
  std::vector<Channel> channels_;      // by channel_of()
  std::vector<Waiting> waiting_;       // likewise
  std::vector<Worm> worms_;            // likewise, of flits
  std::vector<std::int32_t> moved_;    // flits that may go on: at the front of a buffer, or ~owners
  std::vector<Injection> injections_;  // by message, of flits
};

/// Throws InvalidInput when the machine has less memory than the network needs.
void check_memory(const LinkWiring& wiring, int vcs);

}  // namespace weft::simulation::packet
