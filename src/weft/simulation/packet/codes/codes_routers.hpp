// The routers of CODES's model "dragonfly", of the spring of 2016, on any network.
//
// The model. What moves is a chunk: 256 B of a message, or a packet where packets are smaller; a
// short last one takes the time and the room of a whole one. Each virtual channel of a link has a
// buffer that counts what waits at the output, what is on the link and what waits behind it. A
// chunk that has arrived asks for an output channel; with room in it, it gives its place behind
// back and joins the channel's queue, else it stays where it is, in the order of asking, and counts
// as waiting at that port. A port takes from its queues the chunk of the highest channel:
//
//     end = max(now, port free) + lookahead + jitter + chunk / bandwidth + router delay
//
// is when the port is free again and the chunk is at the other end, the link's latency apart: the
// delay of the router holds the port, so that a link never carries more than one chunk in that
// time. It looks for the next chunk lookahead + jitter + chunk / bandwidth later, before it is
// free: what goes first is settled early. An idle port takes its first chunk 10.5 to 11 ns after it
// asked. A host's adapter sends likewise, without the router delay, one chunk after the other; a
// credit takes lookahead + jitter + 8 B / bandwidth, and what the options say. The lookahead is 10
// ns, the jitter drawn below 1 ns: both are of the simulator under CODES (ROSS), which needs them
// to run in parallel, but a chunk on a link of 5 GB/s takes 45 ns, so they are a part of the model.
//
// A receiver hears of a message a lookahead after its last chunk, and one event of 128 B later,
// timed at the inverse of its link's bandwidth in GiB/s, a slip of units: 626 ns at 5.25 GiB/s.
// That event is the last packet's: where one of the chunks before the last 512 B comes last, it
// takes no time. The measured times of small messages hang on it, so it is here.
//
// A routing sees of a port the time to send all of its bytes whose credits are not back and those
// that wait for it, which is what CODES counts.
//
// Zero load: a chunk over r routers takes, with J jitters of 0 to 1 ns and r idle ports,
//     2 A + sum L_i + sum (10 ns + c / B_i) + r (R + 10.5 to 11 ns) + J,    J = r + 1,
// and the notice.
//
// Source: CODES (github codes-org/codes), src/networks/model-net/dragonfly.c of the branch
// codes-col-br, 2016; read, not copied. tests/simulation/packet/codes_routers_test.cpp has cases by
// hand.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/simulation/packet/engine/channel_engine.hpp"

namespace weft::simulation::codes {

using network::kNone;
using packet::Choice;
using packet::HopRouting;
using packet::LinkWiring;
using packet::PacketState;

class CodesRouters final : public packet::ChannelEngine {
 public:
  /// `routing` was made from the same wiring and needs so many channels; where there is none, every
  /// message brings a path. Packets of `options` are chunks.
  CodesRouters(LinkWiring wiring, const PacketOptions& options, int channels,
               std::unique_ptr<HopRouting> routing);

  void run() override {
    run_events([] {}, [this](const packet::Event& event) { handle(event); });
  }

 private:
  // Chunks in order.
  struct Queue {
    std::int32_t first = kNone, last = kNone;

    bool empty() const { return first == kNone; }
  };
  // At the tail of a virtual channel.
  struct Channel {
    Queue ready;    // have a place in it
    Queue waiting;  // have none
    std::int32_t taken_B = 0, most_B = 0;
  };
  struct Port {
    Time free_at = 0;
    bool looks = false;  // it will look at its queues
  };
  // For a chunk that is to choose.
  class ChannelRoom final : public network::Room {
   public:
    explicit ChannelRoom(const CodesRouters& engine) : engine_(engine) {}
    bool has_room(std::int32_t link, std::int32_t vc) const override {
      return engine_.has_room(engine_.channel_of(Choice{link, vc}));
    }

   private:
    const CodesRouters& engine_;
  };

  void handle(const packet::Event& event);
  void take_turn(std::int32_t message) override;
  // From here on an index is that of a chunk.
  void arrive(std::int32_t index);
  Choice choose(PacketState& chunk);
  void join(std::int32_t index, std::int32_t channel);
  void look(std::int32_t link);
  void pass_on(std::int32_t index, std::int32_t channel, Time end);
  void give_back(std::int32_t channel, Time freed);
  void take_credit(std::int32_t channel);
  bool has_room(std::int32_t channel) const;
  Time sending_ps(std::int32_t link);  // the delay of a router apart

  std::int32_t chunk_B() const { return static_cast<std::int32_t>(options_.packet_B); }
  const packet::LinkKind& kind(std::int32_t link) const {
    return wiring_.kind(wiring_.links[packet::place(link)]);
  }
  std::int32_t take_first(Queue& queue);

  void sample(Time time) override;
  std::int32_t first_waiting(std::size_t channel) const override {
    return channels_[channel].waiting.first;
  }
  std::int32_t peak_B(std::size_t channel) const override { return channels_[channel].most_B; }
  bool is_empty(std::size_t channel) const override { return channels_[channel].taken_B == 0; }
  std::int64_t routers_memory_B() const override;

  Rng random_;
  std::vector<Channel> channels_;  // by channel_of()
  std::vector<Port> ports_;        // by link
  std::vector<char> from_hosts_;   // by link: whether its tail is a host's adapter
  std::vector<Time> notices_ps_;   // by link
};

/// Throws InvalidInput where the options don't fit.
std::unique_ptr<PacketEngine> make_engine(const Fabric& fabric, PacketOptions options);

}  // namespace weft::simulation::codes
