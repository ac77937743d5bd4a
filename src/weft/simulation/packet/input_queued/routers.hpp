// Routers, cycle by cycle: input-queued ones with virtual channels, credits and two allocators.
//
// A head flit that arrives in cycle t at the front of its virtual channel asks for a channel of its
// next link in t + routing_cycles (VC allocation), for the crossbar from the cycle after its grant
// on (switch allocation), crosses in the cycle after that grant, and is read by the next router
// wire + 2 cycles after the grant (the wire's ends take a cycle each with the crossing). The place
// that it leaves behind is reported upstream at the grant; the credit is read wire + 1 cycles later
// and counts credit_cycles after that.
//
// Both allocators are iSLIP of one round by default: each output grants to the requesting input
// next after its pointer, each input accepts the granting output next after its own; pointers move
// past what was accepted in the first round. A channel that a routing shares among several classes
// of packets is granted where it has room. An input sends one flit a cycle; of its virtual
// channels that want the same output the one next in turn asks.
//
// What happens at a later cycle waits in a wheel of lists, one for each of the next cycles: there
// is no event queue. Only routers that hold flits are visited.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/packet/input_queued/channel_classes.hpp"
#include "weft/simulation/packet/input_queued/packet.hpp"
#include "weft/simulation/packet/input_queued/port_wiring.hpp"

namespace weft::simulation::input_queued {

/// Index of the first set bit of `mask` at or after `from`, wrapping round; mask is not 0.
inline int next_bit(std::uint64_t mask, int from) {
  const std::uint64_t later = from >= 64 ? 0 : mask >> from << from;
  return std::countr_zero(later != 0 ? later : mask);
}

/// Something of a packet: its flits are numbered, the last is the tail.
struct Flit {
  std::uint32_t packet = 0;
  bool head = false, tail = false;
};

template <class Routing, class Listener>
class Routers {
 public:
  /// The listener is told `delivered(packet, cycle)` when a tail has left and `ejected(cycle)` for
  /// each flit; if it says kWatchesLinks, also `entered(adapter, packet, flit)` and
  /// `crossed(output, packet, flit)` for each flit and `left(adapter, packet)` behind a tail, and
  /// links may be of different speeds and buffers.
  Routers(const PortWiring& wiring, const PipelinedRouter& router, Routing& routing,
          Listener& listener, std::uint64_t seed);

  std::int64_t now() const { return now_; }
  std::int64_t flit_hops() const { return flit_hops_; }

  /// Whether the adapter has nothing more to send into the network in this cycle.
  bool idle(std::int32_t adapter) const { return adapters_[adapter].left == 0; }

  /// Hands a packet to an idle adapter.
  void send(std::int32_t adapter, const Packet& packet, int flits);

  /// One cycle: adapters inject, flits and credits arrive, routers allocate.
  void step();

  /// Packets on their way.
  std::int64_t inside() const { return inside_; }
  /// Cycles in which nothing happens, no packet being inside, but that credits come home.
  void skip_to(std::int64_t cycle);
  /// Cycles after which all that is under way has arrived.
  std::int64_t longest_wait() const { return static_cast<std::int64_t>(arrivals_.size()); }
  /// Whether packets inside wait for each other for ever.
  bool is_stuck() const { return inside_ > 0 && now_ - moved_at_ > longest_wait(); }
  std::int64_t memory_B() const {
    return static_cast<std::int64_t>(flits_.capacity() * sizeof(Flit) +
                                     input_channels_.capacity() * sizeof(InputChannel) +
                                     packets_.capacity() * sizeof(Packet));
  }
  /// Flits that wait in inputs for an output: visit(output, flits), several times for each.
  template <class Visit>
  void for_each_waiting(Visit&& visit) const;
  /// Flits that a channel's buffer has no credit for: there, on their way, or credits under way.
  struct Taken {
    int now, most, of;
  };
  Taken taken(std::int32_t output, int channel) const {
    return taken(credits_, least_credits_, at(output, channel),
                 wiring_.outputs[output].buffer_flits);
  }
  Taken taken_from_adapter(std::int32_t adapter, int channel) const {
    return taken(adapter_credits_, least_adapter_credits_, at(adapter, channel),
                 wiring_.inputs[wiring_.adapter_inputs[adapter]].buffer_flits);
  }

 private:
  struct Arrival {
    std::int32_t input;
    std::uint8_t channel;
    Flit flit;
  };
  struct Credit {
    std::int32_t output;  // or -1 - adapter
    std::uint8_t channel;
  };
  // A virtual channel of an input: a ring of flits, and where its packet goes.
  struct InputChannel {
    std::uint16_t first = 0, count = 0;
    std::uint8_t channel = 0;  // given at the output
    std::int32_t output = -1;
    std::uint64_t wanted = 0;  // channels of the output that the packet may take
  };
  struct Adapter {
    std::uint32_t packet = 0;
    int left = 0;  // flits of the packet at hand
    int channel = -1, last_channel = -1;
    bool fresh = false;
  };
  struct Claim {
    std::size_t channel_of_input;
    std::int32_t input;  // port of the router
    int channel;
    std::uint64_t granted = 0;
  };
  struct Given {
    std::int32_t input;
    int channel;
  };

  std::size_t slot(std::int64_t cycle) const {
    return static_cast<std::size_t>(cycle) & (arrivals_.size() - 1);
  }
  std::size_t at(std::int32_t port, int channel) const {
    return static_cast<std::size_t>(port) * static_cast<std::size_t>(channels_) +
           static_cast<std::size_t>(channel);
  }

  int own_or_common(int buffer_flits) const { return buffer_flits > 0 ? buffer_flits : buffer_; }
  Taken taken(const std::vector<std::int16_t>& credits, const std::vector<std::int16_t>& least,
              std::size_t channel, int buffer_flits) const {
    const int of = own_or_common(buffer_flits);
    return {of - credits[channel], of - least[channel], of};
  }
  void inject();
  void inject(std::int32_t a, Adapter& adapter);
  void take_credits();
  void count_overdue();
  void take_flits();
  void take_routed();
  void place(const Arrival& arrival);
  void start(std::int32_t input, int channel, const Flit& head, std::int64_t cycle);
  void direct(std::int32_t input, InputChannel& held, Packet& packet);
  void reconsider(std::int32_t router);
  // Cycles after which the credit of a head flit that crosses is back, if it waits nowhere.
  std::int64_t round_trip(std::int32_t output) const {
    const OutputPort& out = wiring_.outputs[output];
    const int back = out.input >= 0 ? wiring_.inputs[out.input].credit_cycles : out.credit_cycles;
    return out.cycles + back + credit_cycles_ + routing_cycles_ + 4;
  }
  // Whether the packet at the front of an input's channel may have that channel of the output.
  bool has_room(std::size_t channel_of_input, std::int32_t output, int channel) const {
    if constexpr (Routing::kNeedsRoom) {
      if (wiring_.outputs[output].input < 0) return true;
      const InputChannel& held = input_channels_[channel_of_input];
      const Flit& head = flits_[channel_of_input * static_cast<std::size_t>(buffer_) + held.first];
      return credits_[at(output, channel)] >= routing_.room(packets_[head.packet]);
    } else {
      return true;
    }
  }
  // Whether the link has not sent the flit before by the end of this cycle.
  bool is_sending(std::int32_t output) const {
    if constexpr (Listener::kWatchesLinks)
      return free_at_[output] >= static_cast<double>(now_ + 1);
    else
      return false;
  }
  void add_load(std::int32_t output, std::int32_t flits) {
    if constexpr (Routing::kSeesQueues) routing_.add_load(output, flits);
  }
  void allocate_channels(std::int32_t router);
  std::uint64_t free_channels(std::int32_t output) const;
  void grant_channels(std::int32_t router, std::int32_t output);
  void allocate_switch(std::int32_t router);
  void request_crossbar(std::int32_t router);
  void match_crossbar(std::int32_t router);
  void cross(std::int32_t input, int channel);
  void eject(const Flit& flit, std::int32_t output, int channel);
  void settle();

  const PortWiring& wiring_;
  Routing& routing_;
  Listener& listener_;
  Rng rng_;
  SharedChannels shared_{};
  int channels_, buffer_, routing_cycles_, credit_cycles_, iterations_;
  std::int64_t now_ = 0, flit_hops_ = 0, inside_ = 0, moved_at_ = 0;

  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_packets_;
  std::vector<Adapter> adapters_;
  std::vector<std::int16_t> adapter_credits_;

  std::vector<InputChannel> input_channels_;
  std::vector<Flit> flits_;                              // buffer_ for each input channel
  std::vector<std::uint64_t> waiting_, ready_;           // by input: channels that ask for each
  std::vector<std::uint64_t> busy_;                      // by output: channels taken
  std::vector<std::int16_t> credits_;                    // by output and channel
  std::vector<std::uint16_t> grant_from_, accept_from_;  // VC allocation, by channel
  std::vector<std::uint8_t> output_from_, input_from_, turn_;  // switch allocation, by port
  std::vector<std::int32_t> router_of_input_;
  std::vector<std::int32_t> held_;       // flits in each router
  std::vector<std::uint64_t> occupied_;  // a bit for each router that holds flits

  std::vector<std::vector<Arrival>> arrivals_;
  std::vector<std::vector<Credit>> returns_;
  std::vector<std::vector<Given>> routed_;       // heads whose routing takes time
  std::vector<std::vector<std::int32_t>> sent_;  // outputs, when a credit of theirs is overdue
  std::vector<Given> given_;                     // channels given in this cycle
  // Where the listener watches links: when each has sent what it took, in cycles, by output and by
  // adapter; the least credits that there were.
  std::vector<double> free_at_, adapter_free_at_;
  std::vector<std::int16_t> least_credits_, least_adapter_credits_;
  // Of the router at hand.
  std::vector<std::vector<Claim>> claims_;  // by output
  std::vector<std::uint64_t> asks_,
      asked_by_;                       // outputs an input wants, inputs an output is wanted by
  std::vector<std::uint64_t> grants_;  // by input
  std::vector<std::uint8_t> asking_channel_;  // by input * 64 + output
};

}  // namespace weft::simulation::input_queued

#include "weft/simulation/packet/input_queued/routers_allocation.hpp"
#include "weft/simulation/packet/input_queued/routers_impl.hpp"
