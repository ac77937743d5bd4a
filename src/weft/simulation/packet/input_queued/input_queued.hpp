// Input-queued routers that carry messages: the routers of load curves (routers.hpp) between the
// hosts' side of the packet engine (message_engine.hpp).
//
// The clock of the routers has the cycle of a flit on the fastest link; a slower link takes as many
// cycles as its bandwidth asks for, fractions counted. Latencies and delays are rounded to whole
// cycles, the delay of a router upwards; a router takes three cycles at least (allocation of a
// channel, allocation of the crossbar, crossing). Each virtual channel of an input has a buffer of
// stated size. The last flit of a packet may be short, but takes a whole cycle. A host that is a
// router itself, or hangs on several switches, sends and takes as many flits in a cycle as it has
// links; its packets leave in the order of their turns. What happens at hosts between two cycles is
// done before the latter; where no packet is on its way, the cycles are skipped.
//
// Zero load: a packet of F flits over H routers and links of one speed, in cycles from the one in
// which it has its turn,
//     (R + 3) H + sum of links + F,    R = max(0, router delay - 3),
// and two adapter delays; a host's own cable counts as a link, a host that is a router as one. A
// message takes the same with its own flits, where buffers are not smaller than the automatic ones,
// there are two channels or more for its packets and nothing else is on its way.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "weft/simulation/packet/engine/message_engine.hpp"
#include "weft/simulation/packet/input_queued/packet_routing.hpp"
#include "weft/simulation/packet/input_queued/routers.hpp"

namespace weft::simulation::input_queued {

using packet::PacketState;

/// The network of routers, before any packet.
struct Setup {
  /// Throws InvalidInput for options that input-queued routers don't have.
  Setup(const Fabric& fabric, const packet::LinkWiring& links, const PacketOptions& options);

  PortWiring wiring;
  std::vector<std::int32_t> output_links, adapter_links;  // kNone inside of a router
  double period_ps;                                       // of a cycle
  int packet_flits;
  PipelinedRouter router;
  int path_classes = 1;
  std::vector<std::int32_t> room_flits;  // by link: what a packet needs of a channel
  std::vector<Time> flit_ps;             // by link

 private:
  void choose_channels(const Fabric& fabric, const packet::LinkWiring& links,
                       const PacketOptions& options);
  void set_ports(const packet::LinkWiring& links, const PacketOptions& options);
  std::int32_t buffer_flits(const packet::LinkWiring& links, LinkId link, int round_trip,
                            const PacketOptions& options) const;
  int cycles_of(Time time_ps, const char* what) const;
  int extra_cycles(Time router_delay_ps) const;
};

/// The packet engine with input-queued routers.
class InputQueued final : public packet::MessageEngine {
 public:
  InputQueued(const Fabric& fabric, packet::LinkWiring links, const PacketOptions& options,
              Setup setup);

  void run() override;
  std::vector<std::int64_t> link_peaks_B() const override;

 private:
  // By a routing of packets, or along the path of a packet's message.
  class ByMessage : public HopChoice {
   public:
    static constexpr bool kSharesChannels = false;
    static constexpr bool kNeedsRoom = true;

    ByMessage(const PacketRoutingPlan& plan, InputQueued& engine);
    // Flits that must be free behind a channel before a packet gets it.
    int room(const Packet& packet) const { return cut_through_ ? packet.flits : 0; }
    void begin(const Packet&) const {}
    Route route(std::int32_t router, Packet& packet, Rng& rng, const RouterState& now);

   private:
    InputQueued& engine_;
    bool cut_through_;
    std::uint64_t all_;
  };

  // What the routers tell.
  struct Watcher {
    static constexpr bool kWatchesLinks = true;

    void ejected(std::int64_t) const {}
    void delivered(const Packet& packet, std::int64_t cycle) { engine.deliver(packet, cycle); }
    void entered(std::int32_t adapter, const Packet& packet, const Flit& flit) {
      engine.enter(adapter, packet, flit);
    }
    void left(std::int32_t adapter, const Packet& packet) { engine.leave(adapter, packet); }
    void crossed(std::int32_t output, const Packet& packet, const Flit& flit) {
      engine.cross(output, packet, flit);
    }

    InputQueued& engine;
  };

  Time time_of(std::int64_t cycle) const;
  std::int64_t cycle_from(Time time) const;
  void take_turn(std::int32_t message) override;
  void serve(std::int32_t host);
  void handle_until(Time time);
  void count_event();
  void sample_until(Time time);
  void sample(Time time);
  void deliver(const Packet& packet, std::int64_t cycle);
  void enter(std::int32_t adapter, const Packet& packet, const Flit& flit);
  void leave(std::int32_t adapter, const Packet& packet);
  void cross(std::int32_t output, const Packet& packet, const Flit& flit);
  void count(std::int32_t link, const Packet& packet, const Flit& flit);
  // Visits the channels of all links: visit(link, taken).
  template <class Visit>
  void for_each_channel(Visit&& visit) const;
  void check_end();
  std::int64_t routers_memory_B() const override { return routers_.memory_B(); }

  Setup setup_;
  PacketRoutingPlan plan_;
  ByMessage routing_;
  Watcher watcher_;
  Routers<ByMessage, Watcher> routers_;
  std::vector<std::int32_t> host_of_node_;  // kNone of a switch
  std::vector<std::int32_t> host_of_adapter_;
  std::vector<std::deque<std::int32_t>> turns_;  // by host: packets that wait for an adapter
};

/// Throws InvalidInput where the options don't fit.
std::unique_ptr<PacketEngine> make_engine(const Fabric& fabric, const PacketOptions& options);

}  // namespace weft::simulation::input_queued
