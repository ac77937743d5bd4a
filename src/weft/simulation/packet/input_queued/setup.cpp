// The clock, channels and ports of input-queued routers, from what the packet engine is asked for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/simulation/memory.hpp"
#include "weft/simulation/packet/input_queued/channel_classes.hpp"
#include "weft/simulation/packet/input_queued/input_queued.hpp"
#include "weft/simulation/packet/routing/distances.hpp"

namespace weft::simulation::input_queued {

namespace {

constexpr int kAutomaticChannels = 8;  // as load curves have
constexpr int kPipeline = 3;           // cycles of a router: two allocations and the crossbar

std::int64_t fastest_Bps(const packet::LinkWiring& links) {
  std::int64_t fastest = 1;
  for (const packet::LinkKind& kind : links.kinds) fastest = std::max(fastest, kind.bandwidth_Bps);
  return fastest;
}

}  // namespace

Setup::Setup(const Fabric& fabric, const packet::LinkWiring& links, const PacketOptions& options)
    : wiring(fabric.topology(), Adapters::per_link),
      output_links(wiring.outputs.size(), kNone),
      adapter_links(static_cast<std::size_t>(wiring.adapters()), kNone),
      period_ps(static_cast<double>(options.flit_B) * 1e12 /
                static_cast<double>(fastest_Bps(links))),
      packet_flits(static_cast<int>((options.packet_B + options.flit_B - 1) / options.flit_B)) {
  require(options.arbitration == Arbitration::first_come,
          "input-queued routers match inputs and outputs in turn (iSLIP); --arbitration is of "
          "output-buffered ones");
  choose_channels(fabric, links, options);
  const auto delay = static_cast<double>(options.router_delay_ps) / period_ps;
  router.routing_cycles = std::max(0, static_cast<int>(std::ceil(delay - 1e-9)) - kPipeline);
  router.credit_cycles = 0;
  set_ports(links, options);
}

/// As many channels as given, else eight or as many as are needed; paths climb classes of them.
void Setup::choose_channels(const Fabric& fabric, const packet::LinkWiring& links,
                            const PacketOptions& options) {
  int needed = 1;
  if (options.routing.empty())
    needed = options.vcs > 0 ? 1 : std::min(packet::longest_shortest_path(links), kMaxChannels);
  else
    needed = packet::make_lone_routing(options.routing, {links, fabric, 1, options.vcs})->vcs();
  const int channels = packet::checked_vcs(options, needed);
  require(channels <= kMaxChannels,
          "{} virtual channels are too many for an input-queued router (up to {}); choose another "
          "routing, or --router output-buffered",
          channels, kMaxChannels);
  router.channels = options.vcs > 0 ? channels : std::max(channels, kAutomaticChannels);
  path_classes = options.routing.empty()
                     ? std::min(packet::longest_shortest_path(links), router.channels)
                     : std::min(std::max(needed, options.longest_path), router.channels);
  path_classes = std::max(path_classes, 1);
}

int Setup::cycles_of(Time time_ps, const char* what) const {
  constexpr int kMost = 100'000;
  const double cycles = std::round(static_cast<double>(time_ps) / period_ps);
  require(cycles <= kMost,
          "a {} of {} is {:.0f} cycles of {} each, too many for input-queued routers (up to {}); "
          "give larger flits or --router output-buffered",
          what, format_time(time_ps), cycles, format_time(std::llround(period_ps)), kMost);
  return static_cast<int>(cycles);
}

std::int32_t Setup::buffer_flits(const packet::LinkWiring& links, LinkId link, int round_trip,
                                 const PacketOptions& options) const {
  const packet::LinkKind& kind = links.kind(links.links[link.index()]);
  const std::string& name = wiring.topology.class_names()[kind.link_class];
  // The last flit of a packet is short, and takes a whole place.
  std::int64_t flits = (links.buffers_B[link.index()] + options.flit_B - 1) / options.flit_B;
  if (!options.buffers.all && !options.buffers.by_class.contains(name))
    flits = std::max<std::int64_t>(flits, round_trip + packet_flits);
  require(flits <= 32'767,
          "a buffer of {} flits is too large for an input-queued router (up to 32767); give larger "
          "flits or a smaller --buffer",
          flits);
  return static_cast<std::int32_t>(flits);
}

/// Ports of each link. Those of adapters inside of their router have no wire, and the widest
/// buffer.
void Setup::set_ports(const packet::LinkWiring& links, const PacketOptions& options) {
  for (OutputPort& port : wiring.outputs) port.cycles = port.credit_cycles = 0;
  for (InputPort& port : wiring.inputs) port.cycles = port.credit_cycles = 0;
  std::vector<std::int32_t> adapter_of_node(wiring.router.size(), kNone);  // of leaves
  for (std::int32_t h = 0; h < wiring.hosts(); ++h)
    adapter_of_node[wiring.host_nodes[h].index()] = wiring.first_adapter[h];
  const auto fastest = static_cast<double>(fastest_Bps(links));
  router.buffer_flits = packet_flits;
  for (const LinkId id : wiring.topology.links()) {
    const packet::LinkKind& kind = links.kind(links.links[id.index()]);
    const double period = fastest / static_cast<double>(kind.bandwidth_Bps);
    const int cycles =
        cycles_of(kind.latency_ps, "latency") + static_cast<int>(std::ceil(period - 1e-9)) - 1;
    const int credit_cycles = cycles_of(links.credits_ps[id.index()], "credit delay");
    const int round_trip = cycles + credit_cycles + router.routing_cycles + 2 * kPipeline;
    const std::int32_t flits = buffer_flits(links, id, round_trip, options);
    router.buffer_flits = std::max(router.buffer_flits, static_cast<int>(flits));
    room_flits.push_back(std::min(packet_flits, static_cast<int>(flits)));
    flit_ps.push_back(kind.unit_ps);

    const NodeId tail = wiring.topology.tail(id), head = wiring.topology.head(id);
    if (wiring.leaves[tail.index()].up == id.value()) {
      const std::int32_t adapter = adapter_of_node[tail.index()];
      InputPort& port = wiring.inputs[wiring.adapter_inputs[adapter]];
      adapter_links[adapter] = id.value();
      port.cycles = cycles;
      port.credit_cycles = credit_cycles;
      port.buffer_flits = flits;
      port.period = period;
      continue;
    }
    const bool to_leaf = wiring.leaves[head.index()].down == id.value();
    const std::int32_t output =
        to_leaf ? wiring.adapter_outputs[adapter_of_node[head.index()]] : wiring.port(id);
    OutputPort& port = wiring.outputs[output];
    output_links[output] = id.value();
    port.cycles = cycles;
    port.credit_cycles = credit_cycles;
    port.buffer_flits = flits;
    port.period = period;
    if (!to_leaf) wiring.inputs[port.input].credit_cycles = credit_cycles;
  }
  const double channels = static_cast<double>(wiring.inputs.size()) * router.channels;
  constexpr double kFlit_B = 8, kChannel_B = 40;
  require_memory(channels * (router.buffer_flits * kFlit_B + kChannel_B),
                 fmt::format("{:.0f} virtual channels of {} flits", channels, router.buffer_flits),
                 "take a smaller network, fewer channels or a smaller buffer");
}

}  // namespace weft::simulation::input_queued
