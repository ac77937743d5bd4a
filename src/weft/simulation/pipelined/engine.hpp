// The cycle-driven engine: input-queued routers with virtual channels, credits and two allocators.
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
#include "weft/simulation/pipelined/channel_classes.hpp"
#include "weft/simulation/pipelined/packet.hpp"
#include "weft/simulation/pipelined/port_wiring.hpp"

namespace weft::simulation::pipelined {

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
class Engine {
 public:
  /// The listener is told `delivered(packet, cycle)` when a tail has left and `ejected(cycle)` for
  /// each flit.
  Engine(const PortWiring& wiring, const PipelinedRouter& router, Routing& routing,
         Listener& listener, std::uint64_t seed);

  std::int64_t now() const { return now_; }
  std::int64_t flit_hops() const { return flit_hops_; }

  /// Whether the host has nothing more to send into the network in this cycle.
  bool idle(std::int32_t host) const { return hosts_[host].left == 0; }

  /// Hands a packet to an idle host's adapter.
  void send(std::int32_t host, const Packet& packet, int flits);

  /// One cycle: hosts inject, flits and credits arrive, routers allocate.
  void step();

 private:
  struct Arrival {
    std::int32_t input;
    std::uint8_t channel;
    Flit flit;
  };
  struct Credit {
    std::int32_t output;  // or -1 - host
    std::uint8_t channel;
  };
  // A virtual channel of an input: a ring of flits, and where its packet goes.
  struct InputChannel {
    std::uint16_t first = 0, count = 0;
    std::uint8_t channel = 0;  // given at the output
    std::int32_t output = -1;
    std::uint64_t wanted = 0;  // channels of the output that the packet may take
  };
  struct Host {
    std::uint64_t busy = 0;  // channels that hold an unfinished packet
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

  void inject();
  void inject(std::int32_t h, Host& host);
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
    return 2 * wiring_.outputs[output].cycles + credit_cycles_ + routing_cycles_ + 4;
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
  std::int64_t now_ = 0, flit_hops_ = 0, inside_ = 0;

  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_packets_;
  std::vector<Host> hosts_;
  std::vector<std::int16_t> host_credits_;

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
  // Of the router at hand.
  std::vector<std::vector<Claim>> claims_;  // by output
  std::vector<std::uint64_t> asks_,
      asked_by_;                       // outputs an input wants, inputs an output is wanted by
  std::vector<std::uint64_t> grants_;  // by input
  std::vector<std::uint8_t> asking_channel_;  // by input * 64 + output
};

}  // namespace weft::simulation::pipelined

#include "weft/simulation/pipelined/engine_allocation.hpp"
#include "weft/simulation/pipelined/engine_impl.hpp"
