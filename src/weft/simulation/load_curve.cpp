#include "weft/simulation/load_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "weft/base/parallel.hpp"
#include "weft/base/suggest.hpp"
#include "weft/simulation/memory.hpp"
#include "weft/simulation/packet.hpp"
#include "weft/simulation/pipelined/open_loop.hpp"
#include "weft/simulation/pipelined/packet_routing.hpp"
#include "weft/simulation/pipelined/path_routing.hpp"
#include "weft/simulation/pipelined/sampled_trial.hpp"
#include "weft/simulation/pipelined/torus_order.hpp"
#include "weft/simulation/traffic.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation {

using namespace pipelined;

namespace {

using AnyRouting = std::variant<TorusOrder, PathRouting, PacketRoutingPlan>;

// Dimension order has its own way on a torus, and the network's on other grids; so has Valiant's
// routing on tori and meshes. Other routings of packets choose packet by packet; everything else
// follows fixed paths.
AnyRouting make_packet_routing(const Fabric& fabric, const Wiring& wiring,
                               const LoadCurveOptions& options) {
  const Topology& topology = fabric.topology();
  const int channels = options.router.channels;
  const bool by_dimension = lower(options.routing) == "dimension-order";
  const bool by_detour = lower(options.routing) == "valiant";
  const Detour detour = by_detour ? Detour::valiant : Detour::none;
  if (by_detour || (by_dimension && !topology::as_hamming(topology)))
    if (const auto torus = topology::as_torus(topology))
      return TorusOrder(topology, *torus, GridEnds::joined, detour, wiring, channels);
  if (by_detour)
    if (const auto mesh = topology::as_mesh(topology))
      return TorusOrder(topology, *mesh, GridEnds::open, detour, wiring, channels);
  if (!by_dimension && is_packet_routing(options.routing))
    return PacketRoutingPlan(fabric, wiring, options.routing, channels,
                             std::min(options.packet_flits, options.router.buffer_flits));
  require_known_routing(options.routing);
  const auto routing = network::make_routing(options.routing, fabric, options.seed);
  require(!routing->sees_whole_step(),
          "routing {} goes by the steps of a schedule, which an open loop has none of; use d-mod-k "
          "or up-down-random",
          options.routing);
  return PathRouting(*routing, topology, wiring, channels);
}

void check_cycles(int link_cycles) {
  require(link_cycles >= 1 && link_cycles <= 100'000,
          "links of {} cycles are not possible; give 1 to 100000", link_cycles);
}

// Cycles on each link between routers, by output port.
std::vector<int> wire_cycles(const Topology& topology, const Wiring& wiring,
                             const PipelinedRouter& router) {
  const auto names = topology.class_names();
  std::vector<int> of_class(names.size(), router.link_cycles);
  for (const auto& [name, class_cycles] : router.cycles_of_class) {
    const auto at = std::ranges::find(names, name);
    if (at == names.end())
      reject("{} has no links of class \"{}\"; {}", topology.name(), name, suggest(name, names));
    of_class[static_cast<std::size_t>(at - names.begin())] = class_cycles;
  }
  std::vector<int> cycles(wiring.outputs.size(), router.terminal_cycles);
  for (const LinkId link : topology.links())
    if (wiring.port(link) >= 0)
      cycles[static_cast<std::size_t>(wiring.port(link))] =
          of_class[topology.link_class(link).index()];
  return cycles;
}

void check(const LoadCurveOptions& options) {
  const PipelinedRouter& router = options.router;
  require(router.channels >= 1 && router.channels <= kMaxChannels,
          "{} virtual channels are not possible; give 1 to {}", router.channels, kMaxChannels);
  require(router.buffer_flits >= 1 && router.buffer_flits <= 32'767,
          "a buffer of {} flits is not possible; give 1 to 32767", router.buffer_flits);
  check_cycles(router.link_cycles);
  check_cycles(router.terminal_cycles);
  for (const ClassCycles& given : router.cycles_of_class) check_cycles(given.cycles);
  require(router.routing_cycles >= 0 && router.routing_cycles <= 100'000,
          "routing in {} cycles is not possible; give 0 to 100000", router.routing_cycles);
  require(router.credit_cycles >= 0 && router.credit_cycles <= 100'000,
          "a credit delay of {} cycles is not possible; give 0 to 100000", router.credit_cycles);
  require(router.iterations >= 1 && router.iterations <= 64,
          "{} rounds of the allocators are not possible; give 1 to 64", router.iterations);
  require(options.packet_flits >= 1 && options.packet_flits <= 65'535,
          "packets of {} flits are not possible; give 1 to 65535", options.packet_flits);
  constexpr std::int64_t kMostCycles = 1'000'000'000;
  require(options.warmup_cycles >= 0 && options.measured_cycles >= 1 &&
              options.warmup_cycles <= kMostCycles && options.measured_cycles <= kMostCycles,
          "{} cycles of warm-up and {} measured are not possible; measure one or more, up to {}",
          options.warmup_cycles, options.measured_cycles, kMostCycles);
}

// What leaves the network, and when.
struct Meter {
  std::int64_t first, last;  // measured cycles: [first, last)
  std::vector<std::int64_t> count_of_latency;
  std::int64_t ejected_flits = 0, packets = 0, hops = 0;
  double latency_sum = 0;

  void ejected(std::int64_t cycle) { ejected_flits += cycle >= first && cycle < last; }

  void delivered(const Packet& packet, std::int64_t cycle) {
    if (!packet.measured) return;
    const auto latency = static_cast<std::size_t>(cycle - packet.created);
    if (latency >= count_of_latency.size()) count_of_latency.resize(latency + latency / 2 + 64);
    ++count_of_latency[latency];
    latency_sum += static_cast<double>(latency);
    hops += packet.hops;
    ++packets;
  }

  std::int64_t percentile(double share) const {
    const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(packets)));
    std::int64_t seen = 0;
    for (std::size_t latency = 0; latency < count_of_latency.size(); ++latency)
      if ((seen += count_of_latency[latency]) >= wanted && seen > 0)
        return static_cast<std::int64_t>(latency);
    return 0;
  }
};

// One run at one load: what hosts make, what the engine carries, what the meter sees.
template <class Routing>
class Measurement {
 public:
  Measurement(const LoadCurveOptions& options, const Wiring& wiring, const TrafficPattern& traffic,
              Routing& routing, double offered)
      : options_(options),
        hosts_(static_cast<double>(wiring.hosts())),
        offered_(offered),
        meter_{options.warmup_cycles, options.warmup_cycles + options.measured_cycles, {}},
        network_(options, wiring, traffic, routing, meter_, offered) {}

  LoadPoint run() {
    const std::int64_t end = meter_.last + kPatience * options_.measured_cycles;
    while (network_.now() < end && !finished()) {
      network_.step([this](Packet& packet) {
        packet.measured = packet.created >= meter_.first && packet.created < meter_.last;
        made_ += packet.measured;
      });
      if (network_.now() == meter_.last && falls_behind()) break;
    }
    return point();
  }

 private:
  // Packets of the measured cycles are waited for this many times as long as they were made for; a
  // network that has not brought them out by then does not carry the load.
  static constexpr std::int64_t kPatience = 3;
  // What came out in the measured cycles may miss what was made in them by the flits under way and
  // by chance; a hundredth is far outside both.
  static constexpr double kCarried = 0.99;

  bool finished() const {
    return network_.now() >= meter_.last && meter_.packets >= made_ &&
           network_.queues_are_past(meter_.last);
  }

  // Whether less came out in the measured cycles than chance explains: no need to wait for the
  // rest.
  bool falls_behind() const {
    const double offered = offered_ * hosts_ * static_cast<double>(options_.measured_cycles);
    const double chance = 4 * std::sqrt(offered * options_.packet_flits);
    return static_cast<double>(meter_.ejected_flits) + chance < kCarried * offered;
  }

  LoadPoint point() const {
    LoadPoint point;
    point.offered = offered_;
    point.accepted = static_cast<double>(meter_.ejected_flits) /
                     (hosts_ * static_cast<double>(options_.measured_cycles));
    point.stable = finished() && static_cast<double>(meter_.ejected_flits) >=
                                     kCarried * static_cast<double>(made_ * options_.packet_flits);
    point.packets = meter_.packets;
    if (meter_.packets > 0) {
      point.mean_latency = meter_.latency_sum / static_cast<double>(meter_.packets);
      point.mean_hops = static_cast<double>(meter_.hops) / static_cast<double>(meter_.packets);
    }
    point.p50_latency = meter_.percentile(0.5);
    point.p99_latency = meter_.percentile(0.99);
    point.max_latency = meter_.percentile(1);
    point.flit_hops = network_.flit_hops();
    return point;
  }

  const LoadCurveOptions& options_;
  double hosts_;
  double offered_;
  Meter meter_;
  OpenLoop<Routing, Meter> network_;
  std::int64_t made_ = 0;  // packets of the measured cycles
};

}  // namespace

namespace {

void check_load(double offered) {
  require(offered > 0 && offered <= 1,
          "a load of {} flits per host and cycle cannot be offered; give one above 0 and up to 1",
          offered);
}

// Of the channels of all inputs and outputs, with their buffers.
void check_memory(const Wiring& wiring, const LoadCurveOptions& options) {
  constexpr double kFlit_B = 8, kChannel_B = 40;
  const auto ports = static_cast<double>(wiring.inputs.size());
  const double channels = ports * options.router.channels;
  require_memory(
      channels * (options.router.buffer_flits * kFlit_B + kChannel_B),
      fmt::format("{:.0f} virtual channels of {} flits", channels, options.router.buffer_flits),
      "take a smaller network, fewer channels or a smaller buffer");
}

}  // namespace

struct LoadCurve::Network {
  LoadCurveOptions options;
  Wiring wiring;
  TrafficPattern traffic;
  AnyRouting routing;
};

LoadCurve::LoadCurve(const Fabric& fabric, const LoadCurveOptions& options) {
  check(options);
  Wiring wiring(fabric.topology());
  check_memory(wiring, options);
  wiring.set_cycles(wire_cycles(fabric.topology(), wiring, options.router));
  TrafficPattern traffic = TrafficPattern::make(options.traffic, wiring.hosts(), options.seed,
                                                TrafficShape::of(fabric.topology()));
  AnyRouting routing = make_packet_routing(fabric, wiring, options);
  network_ = std::make_shared<const Network>(
      Network{options, std::move(wiring), std::move(traffic), std::move(routing)});
}

template <class Run>
auto LoadCurve::with_routing(Run&& run) const {
  const Network& n = *network_;
  if (const auto* plan = std::get_if<PacketRoutingPlan>(&n.routing)) {
    PacketRouting routing(*plan, n.wiring, Rng(n.options.seed).split(3).next());
    return run(routing);
  }
  if (const auto* torus = std::get_if<TorusOrder>(&n.routing)) return run(*torus);
  return run(std::get<PathRouting>(n.routing));
}

LoadPoint LoadCurve::measure(double offered) const {
  check_load(offered);
  const Network& n = *network_;
  return with_routing([&](auto& routing) {
    return Measurement(n.options, n.wiring, n.traffic, routing, offered).run();
  });
}

bool LoadCurve::settles(double offered) const {
  check_load(offered);
  const Network& n = *network_;
  return with_routing([&](auto& routing) {
    return SampledTrial(n.options, n.wiring, n.traffic, routing, offered).settles();
  });
}

std::vector<LoadPoint> LoadCurve::measure(const std::vector<double>& offered) const {
  std::vector<LoadPoint> points(offered.size());
  parallel_for(static_cast<std::int64_t>(offered.size()), [&](std::int64_t i) {
    points[static_cast<std::size_t>(i)] = measure(offered[static_cast<std::size_t>(i)]);
  });
  return points;
}

namespace {

template <class Holds>
double bisect(double resolution, Holds&& holds) {
  double carried = 0, refused = 1;
  if (holds(1)) return 1;
  while (refused - carried > resolution) {
    const double middle = (carried + refused) / 2;
    (holds(middle) ? carried : refused) = middle;
  }
  return carried;
}

}  // namespace

double LoadCurve::saturation(double resolution) const {
  return bisect(resolution, [this](double load) { return measure(load).stable; });
}

double LoadCurve::latency_limit(double resolution) const {
  return bisect(resolution, [this](double load) { return settles(load); });
}

std::int64_t LoadCurve::zero_load_latency(int routers) const {
  const PipelinedRouter& router = network_->options.router;
  // Routing, VC allocation, switch allocation and crossing; the wires between and at the ends.
  return std::int64_t{router.routing_cycles + 3} * routers +
         std::int64_t{router.link_cycles} * (routers - 1) + 2 * router.terminal_cycles + 1 +
         network_->options.packet_flits - 1;
}

}  // namespace weft::simulation
