// The clock, channels and ports of input-queued routers, from what the packet engine is asked for.
#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/units.hpp"
#include "weft/simulation/packet/input_queued/channel_classes.hpp"
#include "weft/simulation/packet/input_queued/input_queued.hpp"

namespace weft::simulation::input_queued {

namespace {

constexpr int kAutomaticChannels = 8;  // as load curves have
constexpr int kMostFlits = 32'767;     // of a buffer, counted in 16 bits
constexpr int kMostCycles = 100'000;   // on a wire
constexpr int kPipeline = 3;           // cycles of a router: two allocations and the crossbar

std::int64_t fastest_Bps(const packet::LinkWiring& links) {
  std::int64_t fastest = 1;
  for (const packet::LinkKind& kind : links.kinds) fastest = std::max(fastest, kind.bandwidth_Bps);
  return fastest;
}

}  // namespace

Setup::Setup(const Fabric& fabric, const packet::LinkWiring& links, const PacketOptions& options)
    : wiring(fabric, Adapters::per_link),
      output_links(wiring.outputs.size(), kNone),
      adapter_links(static_cast<std::size_t>(wiring.adapters()), kNone),
      period_ps(static_cast<double>(options.flit_B) * 1e12 /
                static_cast<double>(fastest_Bps(links))),
      packet_flits(static_cast<int>((options.packet_B + options.flit_B - 1) / options.flit_B)) {
  require(packet_flits <= kMostFlits,
          "packets of {} flits are too long for input-queued routers (at most {}); give larger "
          "flits or a smaller --packet-size",
          packet_flits, kMostFlits);
  require(options.arbitration == Arbitration::first_come,
          "--arbitration has no effect on input-queued routers, which use iSLIP; leave it out, "
          "or use --router output-buffered");
  choose_channels(fabric, links, options);
  router.credit_cycles = 0;
  set_ports(links, options);
}

/// As many channels as given, else eight, or two for each class so that a packet gets its channel
/// while the one before it leaves; paths climb the classes.
void Setup::choose_channels(const Fabric& fabric, const packet::LinkWiring& links,
                            const PacketOptions& options) {
  int needed = network::longest_shortest_path(links);
  if (!options.routing.empty())
    needed = network::make_hop_routing(options.routing, {links, fabric, 1, options.vcs})->vcs();
  path_classes = std::min(std::max(needed, options.longest_path), kMaxChannels);
  const bool free = options.routing.empty() && options.vcs > 0;  // paths make do with fewer
  const int channels = packet::checked_vcs(options, free ? 1 : std::min(needed, path_classes));
  require(channels <= kMaxChannels && (options.routing.empty() || needed <= kMaxChannels),
          "{} virtual channels are too many for an input-queued router (at most {}); choose "
          "another routing, or --router output-buffered",
          std::max(channels, needed), kMaxChannels);
  router.channels = options.vcs > 0
                        ? channels
                        : std::clamp(2 * path_classes, kAutomaticChannels, int{kMaxChannels});
  path_classes = std::min(path_classes, router.channels);
}

int Setup::cycles_of(Time time_ps, const char* what) const {
  const double cycles = std::round(static_cast<double>(time_ps) / period_ps);
  if (cycles > kMostCycles)  // texts are made where they are needed: this is asked of each link
    reject(
        "a {} of {} is {:.0f} cycles of {} each, too many for input-queued routers (at most "
        "{}); give larger flits or --router output-buffered",
        what, format_time(time_ps), cycles, format_time(std::llround(period_ps)), kMostCycles);
  return static_cast<int>(cycles);
}

std::int32_t Setup::buffer_flits(const packet::LinkWiring& links, LinkId link, int round_trip,
                                 const PacketOptions& options) const {
  const packet::LinkKind& kind = links.kind(links.links[link.index()]);
  const std::string& name = wiring.topology.class_names()[ClassId(kind.link_class)];
  // The last flit of a packet is short, and takes a whole place.
  std::int64_t flits = (links.buffers_B[link.index()] + options.flit_B - 1) / options.flit_B;
  if (!options.buffers.all && !options.buffers.by_class.contains(name))
    flits = std::max<std::int64_t>(flits, round_trip + packet_flits);
  require(flits <= kMostFlits,
          "a buffer of {} flits is too large for an input-queued router (at most {}); give "
          "larger flits or a smaller --buffer",
          flits, kMostFlits);
  return static_cast<std::int32_t>(flits);
}

/// Cycles that a packet takes in a router beyond the pipeline: spent on the way in, where flits
/// follow each other, so that they cost latency alone.
int Setup::extra_cycles(Time router_delay_ps) const {
  const int rounded = cycles_of(router_delay_ps, "router delay");
  const bool up = static_cast<double>(router_delay_ps) > (rounded + 1e-9) * period_ps;
  return std::max(0, rounded + (up ? 1 : 0) - kPipeline);
}

/// Ports of each link. Those of adapters inside of their router have no wire, and the widest
/// buffer.
void Setup::set_ports(const packet::LinkWiring& links, const PacketOptions& options) {
  const int extra = extra_cycles(options.router_delay_ps);
  for (OutputPort& port : wiring.outputs) port.cycles = port.credit_cycles = 0;
  for (InputPort& port : wiring.inputs) {
    port.cycles = extra;
    port.credit_cycles = 0;
  }
  IdVector<NodeId, std::int32_t> adapter_of_node(wiring.router.size(), kNone);  // of leaves
  for (std::int32_t h = 0; h < wiring.hosts(); ++h)
    adapter_of_node[wiring.host_nodes[h]] = wiring.first_adapter[h];
  const auto fastest = static_cast<double>(fastest_Bps(links));
  router.buffer_flits = packet_flits;
  for (const LinkId id : wiring.topology.links()) {
    const packet::LinkKind& kind = links.kind(links.links[id.index()]);
    const double period = fastest / static_cast<double>(kind.bandwidth_Bps);
    if (period > kMostCycles)
      reject(
          "a link of {} is too slow next to one of {} for input-queued routers (at most {} "
          "times); use --router output-buffered",
          format_bandwidth(kind.bandwidth_Bps), format_bandwidth(fastest_Bps(links)), kMostCycles);
    const NodeId tail = wiring.topology.tail(id), head = wiring.topology.head(id);
    const bool to_leaf = wiring.leaves[head.index()].down == id.value();
    const int cycles = cycles_of(kind.latency_ps, "latency") + (to_leaf ? 0 : extra) +
                       static_cast<int>(std::ceil(period - 1e-9)) - 1;
    const int credit_cycles = cycles_of(links.credits_ps[id.index()], "credit delay");
    const int round_trip = cycles + credit_cycles + 2 * kPipeline;
    const std::int32_t flits = buffer_flits(links, id, round_trip, options);
    router.buffer_flits = std::max(router.buffer_flits, static_cast<int>(flits));
    room_flits.push_back(std::min(packet_flits, static_cast<int>(flits)));
    flit_ps.push_back(kind.unit_ps);

    if (wiring.leaves[tail.index()].up == id.value()) {
      const std::int32_t adapter = adapter_of_node[tail];
      InputPort& port = wiring.inputs[wiring.adapter_inputs[adapter]];
      adapter_links[adapter] = id.value();
      port.cycles = cycles;
      port.credit_cycles = credit_cycles;
      port.buffer_flits = flits;
      port.period = period;
      continue;
    }
    const std::int32_t output =
        to_leaf ? wiring.adapter_outputs[adapter_of_node[head]] : wiring.port(id);
    OutputPort& port = wiring.outputs[output];
    output_links[output] = id.value();
    port.cycles = cycles;
    port.credit_cycles = credit_cycles;
    port.buffer_flits = flits;
    port.period = period;
    if (!to_leaf) wiring.inputs[port.input].credit_cycles = credit_cycles;
  }
  check_memory(wiring, router);
}

}  // namespace weft::simulation::input_queued
