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
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::simulation {

/// Cycles on the links of one class.
struct ClassCycles {
  std::string link_class;
  int cycles = 1;
};

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
};

struct LoadCurveOptions {
  PipelinedRouter router = {};
  std::string traffic = "uniform";  // see TrafficPattern
  std::string routing = "dimension-order";
  int packet_flits = 1;
  std::int64_t warmup_cycles = 10'000;
  std::int64_t measured_cycles = 20'000;
  std::uint64_t seed = 1;
};

/// What was measured at one offered load. Rates in flits per host and cycle, latencies in cycles.
struct LoadPoint {
  double offered = 0, accepted = 0;
  bool stable = false;       // all that was offered got through, and queues did not grow
  std::int64_t packets = 0;  // measured: made in the measured cycles
  double mean_latency = 0;
  std::int64_t p50_latency = 0, p99_latency = 0, max_latency = 0;
  double mean_hops = 0;        // routers entered
  std::int64_t flit_hops = 0;  // of the whole run
};

/// A network made ready for measurements at any load. Copies share what they read.
class LoadCurve {
 public:
  /// Throws InvalidInput for routers, traffic or a routing that do not fit the network, and for too
  /// few virtual channels (saying how many are needed).
  LoadCurve(const Fabric& fabric, const LoadCurveOptions& options);

  /// Runs at this load, flits per host and cycle in (0, 1]. Deterministic.
  /// Cost: about 50 to 150 ns a flit and hop.
  LoadPoint measure(double offered) const;

  /// The loads measured in parallel, in the order given.
  std::vector<LoadPoint> measure(const std::vector<double>& offered) const;

  /// The highest stable load, to `resolution`, by bisection.
  double saturation(double resolution = 0.01) const;

  /// Whether BookSim 2 would call this load in (0, 1] stable: see sampled_trial.hpp.
  bool settles(double offered) const;
  /// The highest load that settles, to `resolution`, by bisection: what BookSim 2 finds.
  double latency_limit(double resolution = 0.01) const;

  /// Latency of a lone packet of `packet_flits` over a way of H routers and links of no class of
  /// its own, from the formula: 4 cycles a router and 2 at the ends with links of one cycle and
  /// routing ahead, then a cycle for each further flit.
  std::int64_t zero_load_latency(int routers) const;

 private:
  struct Network;
  template <class Run>
  auto with_routing(Run&& run) const;
  std::shared_ptr<const Network> network_;
};

}  // namespace weft::simulation
