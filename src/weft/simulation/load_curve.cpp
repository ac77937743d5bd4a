#include "weft/simulation/load_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <variant>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/memory.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/suggest.hpp"
#include "weft/network/routings.hpp"
#include "weft/simulation/load_curve/mean_way.hpp"
#include "weft/simulation/load_curve/measurement.hpp"
#include "weft/simulation/load_curve/sampled_trial.hpp"
#include "weft/simulation/packet/input_queued/packet_routing.hpp"
#include "weft/simulation/packet/input_queued/path_routing.hpp"
#include "weft/simulation/packet/input_queued/torus_order.hpp"
#include "weft/simulation/traffic.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation {

using namespace input_queued;

namespace {

using AnyRouting = std::variant<TorusOrder, PathRouting, PacketRoutingPlan>;

void check_ejection(const Topology& topology, const LoadCurveOptions& options) {
  if (options.router.ejection == Ejection::any) return;
  const auto* routing = network::find_routing(options.routing);
  const bool in_phases = routing != nullptr && routing->hops && routing->hops->counts_phases;
  require(topology::as_dragonfly(topology) && in_phases,
          "ejection by phase needs a Dragonfly routing, but {} on {} has no phases; choose any",
          options.routing, topology.name());
}

// Dimension order has its own way on a torus, and the network's on other whole grids; so has
// Valiant's routing on tori and meshes. Other routings of packets choose packet by packet;
// everything else follows fixed paths.
AnyRouting make_packet_routing(const Fabric& fabric, const PortWiring& wiring,
                               const LoadCurveOptions& options) {
  const Topology& topology = fabric.topology();
  const bool by_dimension = lower(options.routing) == "dimension-order" && !topology.facets().holes;
  const bool by_detour = lower(options.routing) == "valiant";
  const Detour detour = by_detour ? Detour::valiant : Detour::none;
  if (by_detour || (by_dimension && !topology::as_hamming(topology)))
    if (const auto torus = topology::as_torus(topology))
      return TorusOrder(topology, *torus, GridEnds::joined, detour, wiring, options);
  if (by_detour)
    if (const auto mesh = topology::as_mesh(topology))
      return TorusOrder(topology, *mesh, GridEnds::open, detour, wiring, options);
  if (!by_dimension && network::hop_routing(options.routing, topology) == options.routing)
    return PacketRoutingPlan(
        fabric, wiring, options.routing, options.router,
        std::vector<std::int32_t>(topology.link_count(),
                                  std::min(options.packet_flits, options.router.buffer_flits)));
  network::require_known_routing(options.routing);
  const auto routing = network::make_routing(options.routing, fabric, options.seed);
  require(!routing->sees_whole_step(),
          "routing {} depends on the steps of a schedule, which a load curve does not have; "
          "use d-mod-k or up-down-random",
          options.routing);
  return PathRouting(*routing, topology, wiring, options.router.channels);
}

void check_cycles(int link_cycles) {
  require(link_cycles >= 1 && link_cycles <= 100'000,
          "links of {} cycles are out of range (1 to 100000)", link_cycles);
}

// Cycles on each link between routers, by output port.
std::vector<int> wire_cycles(const Topology& topology, const PortWiring& wiring,
                             const PipelinedRouter& router) {
  const auto names = topology.class_names();
  std::vector<int> of_class(names.size(), router.link_cycles);
  for (const auto& [name, class_cycles] : router.cycles_of_class) {
    const auto at = std::ranges::find(names, name);
    if (at == names.end())
      reject_unknown({"link class", name, fmt::format("of {}", topology.name())}, names);
    of_class[at - names.begin()] = class_cycles;
  }
  std::vector<int> cycles(wiring.outputs.size(), router.terminal_cycles);
  for (const LinkId link : topology.links())
    if (wiring.port(link) >= 0)
      cycles[wiring.port(link)] = of_class[topology.link_class(link).index()];
  return cycles;
}

void check(const LoadCurveOptions& options) {
  const PipelinedRouter& router = options.router;
  require(router.channels >= 1 && router.channels <= kMaxChannels,
          "{} virtual channels are out of range (1 to {})", router.channels, kMaxChannels);
  require(router.buffer_flits >= 1 && router.buffer_flits <= 32'767,
          "a buffer of {} flits is out of range (1 to 32767)", router.buffer_flits);
  check_cycles(router.link_cycles);
  check_cycles(router.terminal_cycles);
  for (const ClassCycles& given : router.cycles_of_class) check_cycles(given.cycles);
  require(router.routing_cycles >= 0 && router.routing_cycles <= 100'000,
          "a routing delay of {} cycles is out of range (0 to 100000)", router.routing_cycles);
  require(router.credit_cycles >= 0 && router.credit_cycles <= 100'000,
          "a credit delay of {} cycles is out of range (0 to 100000)", router.credit_cycles);
  require(router.iterations >= 1 && router.iterations <= 64,
          "{} rounds of the allocators are out of range (1 to 64)", router.iterations);
  require(options.packet_flits >= 1 && options.packet_flits <= 65'535,
          "packets of {} flits are out of range (1 to 65535)", options.packet_flits);
  constexpr std::int64_t kMostCycles = 1'000'000'000;
  const std::int64_t warmup = options.warmup_cycles.value_or(0);
  const std::int64_t measured = options.measured_cycles.value_or(1);
  require(warmup >= 0 && measured >= 1 && warmup <= kMostCycles && measured <= kMostCycles,
          "invalid cycles: {} of warm-up and {} measured (measure at least 1, at most {})", warmup,
          measured, kMostCycles);
}

void check_load(double offered) {
  require(offered > 0 && offered <= 1,
          "invalid load {} in flits per host and cycle (expected above 0 and at most 1)", offered);
}

}  // namespace

struct LoadCurve::Network {
  Setting setting;
  PortWiring wiring;
  TrafficPattern traffic;
  AnyRouting routing;
};

LoadCurve::LoadCurve(const Fabric& fabric, const LoadCurveOptions& asked) {
  check(asked);
  LoadCurveOptions options = asked;
  if (lower(options.routing) == "auto")
    options.routing = network::default_routing(fabric.topology());
  if (std::string known = network::canonical_routing(options.routing); !known.empty())
    options.routing = known;
  PortWiring wiring(fabric);
  check_memory(wiring, options.router);
  wiring.set_cycles(wire_cycles(fabric.topology(), wiring, options.router));
  TrafficPattern traffic = TrafficPattern::make(options.traffic, wiring.hosts(), options.seed,
                                                TrafficShape::of(fabric.topology()));
  check_ejection(fabric.topology(), options);
  WEFT_ASSERT(traffic.hosts() == wiring.hosts());
  AnyRouting routing = make_packet_routing(fabric, wiring, options);
  const double routers = mean_routers(wiring);
  const Setting setting{options, run_cycles(wiring, options, routers),
                        packet_latency(wiring, options, routers)};
  network_ = std::make_shared<const Network>(
      Network{setting, std::move(wiring), std::move(traffic), std::move(routing)});
}

const std::string& LoadCurve::routing() const {
  return network_->setting.options.routing;
}

template <class Run>
auto LoadCurve::with_routing(Run&& run) const {
  const Network& n = *network_;
  if (const auto* plan = std::get_if<PacketRoutingPlan>(&n.routing)) {
    PacketRouting routing(*plan, n.wiring, Rng(n.setting.options.seed).split(3).next());
    return run(routing);
  }
  if (const auto* torus = std::get_if<TorusOrder>(&n.routing)) return run(*torus);
  return run(std::get<PathRouting>(n.routing));
}

LoadPoint LoadCurve::measure(double offered, const RunProgress& progress) const {
  check_load(offered);
  const Network& n = *network_;
  return with_routing([&](auto& routing) {
    return Measurement(n.setting, n.wiring, n.traffic, routing, offered, progress)
        .run(Wanted::point);
  });
}

bool LoadCurve::carries(double offered, const RunProgress& progress) const {
  check_load(offered);
  const Network& n = *network_;
  return with_routing([&](auto& routing) {
    return Measurement(n.setting, n.wiring, n.traffic, routing, offered, progress)
        .run(Wanted::verdict)
        .stable;
  });
}

bool LoadCurve::settles(double offered) const {
  check_load(offered);
  const Network& n = *network_;
  return with_routing([&](auto& routing) {
    return SampledTrial(n.setting.options, n.wiring, n.traffic, routing, offered).settles();
  });
}

namespace {

// The share of several runs together, each of them weighing as much as it offers.
class JointProgress {
 public:
  JointProgress(const std::vector<double>& weights, const RunProgress& progress)
      : weights_(weights),
        total_(std::accumulate(weights.begin(), weights.end(), 0.0)),
        shares_(weights.size()),
        progress_(progress) {}

  RunProgress of(std::size_t run) {
    if (!progress_) return {};
    return [this, run](double share) {
      const std::scoped_lock lock(mutex_);
      done_ += (share - shares_[run]) * weights_[run];
      shares_[run] = share;
      progress_(done_ / total_);
    };
  }

 private:
  const std::vector<double>& weights_;
  double total_, done_ = 0;
  std::vector<double> shares_;
  const RunProgress& progress_;
  std::mutex mutex_;
};

// Hands points on in the order of the loads, whichever is done first.
class InOrder {
 public:
  InOrder(std::vector<LoadPoint>& points, const PointListener& listener)
      : points_(points), done_(points.size()), listener_(listener) {}

  void set(std::size_t i, const LoadPoint& point) {
    const std::scoped_lock lock(mutex_);
    WEFT_ASSERT(i < done_.size() && !done_[i]);
    points_[i] = point;
    done_[i] = true;
    for (; told_ < points_.size() && done_[told_]; ++told_)
      if (listener_) listener_(points_[told_]);
  }

 private:
  std::vector<LoadPoint>& points_;
  std::vector<bool> done_;
  std::size_t told_ = 0;
  const PointListener& listener_;
  std::mutex mutex_;
};

}  // namespace

// Each worker takes the next load, so that the first ones are done first.
std::vector<LoadPoint> LoadCurve::measure(const std::vector<double>& offered,
                                          const PointListener& listener,
                                          const RunProgress& progress) const {
  for (const double load : offered) check_load(load);
  std::vector<LoadPoint> points(offered.size());
  JointProgress joint(offered, progress);
  InOrder in_order(points, listener);
  std::atomic<std::size_t> next{0};
  const auto workers = std::min<std::int64_t>(threads(), std::ssize(offered));
  parallel_for(workers, [&](std::int64_t) {
    for (std::size_t i = next++; i < offered.size(); i = next++) {
      const RunProgress mine = joint.of(i);
      in_order.set(i, measure(offered[i], mine));
      if (mine) mine(1);
    }
  });
  return points;
}

namespace {

// holds(load, progress) is asked for each load of the bisection, with the progress of its run.
template <class Holds>
double bisect(double resolution, const RunProgress& progress, Holds&& holds) {
  WEFT_ASSERT(resolution > 0);
  const double runs = 1 + std::ceil(std::log2(1 / resolution));
  double done = 0;
  const auto ask = [&](double load) {
    const RunProgress mine =
        progress
            ? RunProgress([&](double share) { progress(std::min(1.0, (done + share) / runs)); })
            : RunProgress();
    const bool answer = holds(load, mine);
    if (mine) mine(1);
    ++done;
    return answer;
  };
  double carried = 0, refused = 1;
  if (ask(1)) return 1;
  while (refused - carried > resolution) {
    const double middle = (carried + refused) / 2;
    (ask(middle) ? carried : refused) = middle;
  }
  WEFT_ASSERT(carried < refused);
  return carried;
}

}  // namespace

double LoadCurve::saturation(double resolution, const std::vector<LoadPoint>& known,
                             const RunProgress& progress) const {
  double unstable = 2, stable = 0;
  for (const LoadPoint& point : known)
    if (!point.stable) unstable = std::min(unstable, point.offered);
  for (const LoadPoint& point : known)
    if (point.stable && point.offered < unstable) stable = std::max(stable, point.offered);
  return bisect(resolution, progress, [&](double load, const RunProgress& mine) {
    if (load <= stable || load >= unstable) return load <= stable;
    return carries(load, mine);
  });
}

double LoadCurve::latency_limit(double resolution, const std::vector<LoadPoint>& known,
                                const RunProgress& progress) const {
  double settled = 0;
  for (const LoadPoint& point : known)
    if (point.stable && point.packets > 0 && point.mean_latency <= kMostSampledLatency / 2)
      settled = std::max(settled, point.offered);
  return bisect(resolution, progress,
                [&](double load, const RunProgress&) { return load <= settled || settles(load); });
}

RunCycles LoadCurve::cycles() const {
  return network_->setting.cycles;
}

}  // namespace weft::simulation
