// Load curves: latency against offered load of a network of input-queued routers, as routers are
// judged.
//
// Open loop: every host makes packets by a Bernoulli process at the offered rate, whatever the
// network does, into a queue without end. The routers are pipelined and cycle-driven: a head flit
// is given a virtual channel of its next link (VC allocation), then each flit the crossbar (switch
// allocation), then it crosses and travels over the link. Latency runs from the cycle in which a
// packet is made, the wait in its host included, to the cycle in which its tail leaves the network.
// Source: Dally, Towles, "Principles and Practices of Interconnection Networks", 2004, chapters 16,
// 17, 19 and 23; McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches", IEEE/ACM ToN
// 7(2), 1999 (both allocators).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::simulation {

/// Cycles on the links of one class.
struct ClassCycles {
  std::string link_class;
  int cycles = 1;
};

/// By which virtual channels a packet goes from its last router to its host.
enum class Ejection : std::uint8_t {
  any,    // all of them
  phase,  // of a Dragonfly: as many global links as it crossed, that class, as BookSim 2's `min`
};
/// "any", "phase". Throws InvalidInput.
Ejection parse_ejection(std::string_view name);
std::string_view name_of(Ejection ejection);

/// An input-queued router; times in cycles, one flit a link and cycle.
struct PipelinedRouter {
  int channels = 8;         // virtual channels of a link, 1..64
  int buffer_flits = 8;     // of each virtual channel at an input
  int routing_cycles = 0;   // before a head flit asks for a channel; 0: routed one router ahead
  int link_cycles = 1;      // that a flit or a credit is on the wire between routers
  int terminal_cycles = 1;  // that it is on the wire of a host
  std::vector<ClassCycles> cycles_of_class = {};  // instead of link_cycles
  int credit_cycles = 2;                          // from a credit's arrival until it counts
  int iterations = 1;                             // of both allocators
  Ejection ejection = Ejection::any;
};

/// Cycles of one run.
struct RunCycles {
  std::int64_t warmup = 0, measured = 0;
};

/// How a load is run that has clearly outgrown the network.
enum class Overloaded : std::uint8_t {
  stopped,    // once eight windows on end have shown it, after a fifth of the measured cycles
  run_whole,  // as any other
};

struct LoadCurveOptions {
  PipelinedRouter router = {};
  std::string traffic = "uniform";  // see TrafficPattern
  std::string routing = "auto";
  int packet_flits = 1;
  /// Cycles before measuring, and measured; nothing: by the size of the network. Up to about 1,000
  /// hosts times routers on a mean way 10,000 and 20,000, and in larger networks in inverse
  /// proportion, so that as many packets are measured in as many hops; never below 1,000 and 2,000,
  /// nor below 20 and 40 times the latency of a single packet.
  std::optional<std::int64_t> warmup_cycles = {}, measured_cycles = {};
  Overloaded overloaded = Overloaded::stopped;
  std::uint64_t seed = 1;
};

/// What was measured at one offered load. Rates in flits per host and cycle, latencies in cycles.
struct LoadPoint {
  double offered = 0, accepted = 0;
  bool stable = false;       // all that was offered got through, and queues did not grow
  std::int64_t packets = 0;  // measured: made in the measured cycles
  double mean_latency = 0;
  std::int64_t p50_latency = 0, p99_latency = 0, max_latency = 0;
  double mean_hops = 0;              // routers entered
  std::int64_t flit_hops = 0;        // of the whole run
  std::int64_t measured_cycles = 0;  // fewer than asked for where a load was stopped
};

/// Told now and then which share of a run's cycles is done, from the thread that runs it.
using RunProgress = std::function<void(double share)>;

/// Told of the points of a curve in the order of the loads, one at a time.
using PointListener = std::function<void(const LoadPoint&)>;

/// A network made ready for measurements at any load. Copies share what they read.
class LoadCurve {
 public:
  /// Throws InvalidInput for routers, traffic or a routing that do not fit the network, and for too
  /// few virtual channels (saying how many are needed).
  LoadCurve(const Fabric& fabric, const LoadCurveOptions& asked);

  /// As asked for; of `auto`, what it stands for.
  const std::string& routing() const;

  /// Runs at this load, flits per host and cycle in (0, 1]. Deterministic.
  /// Cost: about 50 to 150 ns a flit and hop.
  LoadPoint measure(double offered, const RunProgress& progress = {}) const;

  /// The loads measured in parallel, in the order given.
  std::vector<LoadPoint> measure(const std::vector<double>& offered,
                                 const PointListener& listener = {},
                                 const RunProgress& progress = {}) const;

  /// Whether this load is stable: measure(offered).stable, found sooner where it is not.
  bool carries(double offered, const RunProgress& progress = {}) const;

  /// The highest stable load, to `resolution`, by bisection. Loads below the least unstable and
  /// above the greatest stable one of `known` are taken as these, and not run.
  double saturation(double resolution = 0.01, const std::vector<LoadPoint>& known = {},
                    const RunProgress& progress = {}) const;

  /// Whether BookSim 2 would call this load in (0, 1] stable (docs/explanation/load-curves.md).
  bool settles(double offered) const;
  /// The highest load that settles, to `resolution`, by bisection: what BookSim 2 finds. A load at
  /// or below a stable one of `known` whose mean latency is at most half of BookSim's limit is
  /// taken as settled, and not run: its samples' means are the same but for chance.
  double latency_limit(double resolution = 0.01, const std::vector<LoadPoint>& known = {},
                       const RunProgress& progress = {}) const;

  /// The cycles of each run, those that the options leave open filled in.
  RunCycles cycles() const;

 private:
  struct Network;
  template <class Run>
  auto with_routing(Run&& run) const;
  std::shared_ptr<const Network> network_;
};

}  // namespace weft::simulation
