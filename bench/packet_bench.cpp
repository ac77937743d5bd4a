// Measures the packet engine: packet-hops (links crossed by packets) and events per second of one
// core, and memory per packet in flight.
//
// The traffic is uniform random on Dragonflies, with 1,024-byte messages at exponential intervals.
// Links and buffers are those of Dorier et al., "Evaluation of Topology-Aware Broadcast Algorithms
// for Dragonfly Networks", CLUSTER 2016, section IV. With their 750 ns between messages the load is
// 0.26 of the terminal links. Every host sends for the given time, and all messages are delivered.
// Each run must give the packet-hops of the first.
#include <benchmark/benchmark.h>

#include <cmath>

#include "peak_memory.hpp"
#include "weft/base/random.hpp"
#include "weft/simulation/packet_engine.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr std::int64_t kMessage_B = 1024;

class Uniform final : public PacketSource {
 public:
  Uniform(PacketEngine& engine, const Topology& topology, double interval_ps, Time until)
      : engine_(engine),
        hosts_(topology.hosts()),
        interval_ps_(interval_ps),
        until_(until),
        id_(engine.add(*this)) {}

  void begin() override {
    for (std::uint32_t host = 0; host < hosts_.size(); ++host) wake_later(host);
  }
  void wake(std::uint32_t host) override {
    const auto hosts = static_cast<std::int64_t>(hosts_.size());
    auto to = static_cast<std::size_t>(random_.below(hosts - 1));
    if (to >= host) ++to;
    engine_.send(id_, {.from = hosts_[host],
                       .to = hosts_[to],
                       .bytes = kMessage_B,
                       .report_injected = false,
                       .lane = static_cast<std::int32_t>(host)});
    wake_later(host);
  }
  SourceId id() const { return id_; }

 private:
  void wake_later(std::uint32_t host) {
    const Time time =
        engine_.now() + static_cast<Time>(-std::log1p(-random_.uniform()) * interval_ps_);
    if (time < until_) engine_.wake(id_, time, host);
  }

  PacketEngine& engine_;
  std::span<const NodeId> hosts_;
  double interval_ps_;
  Time until_;
  SourceId id_;
  Rng random_{1};
};

Fabric dragonfly_fabric(const char* topology) {
  LinkOptions links;
  topology::parse_link_option("5.25GBps,100ns", links);
  topology::parse_link_option("global=4.7GBps,100ns", links);
  return Fabric(build_topology(topology), links);
}

PacketOptions options_for(const char* routing) {
  PacketOptions options{.routing = routing, .packet_B = 512, .router_delay_ps = 100'000};
  options.buffers.all = 16 << 10;
  options.buffers.by_class["global"] = 32 << 10;
  return options;
}

void run(benchmark::State& state, const char* topology, const char* routing, double load,
         Time until, Granularity granularity = Granularity::packet) {
  const Fabric fabric = dragonfly_fabric(topology);
  PacketOptions options = options_for(routing);
  options.granularity = granularity;
  std::int64_t hops = 0, events = 0, packets = 0, memory_B = 0, first = -1;
  for (auto _ : state) {
    state.PauseTiming();
    auto engine = make_packet_engine(fabric, options);
    Uniform uniform(*engine, fabric.topology(), kMessage_B / (5.25e-3 * load), until);
    state.ResumeTiming();
    engine->run();
    state.PauseTiming();
    const EngineStatistics s = engine->statistics();
    hops += s.packet_hops;
    events += s.events;
    packets = s.peak_packets;
    memory_B = s.memory_B;
    if (first < 0) first = s.packet_hops;
    if (first != s.packet_hops) state.SkipWithError("a run took other ways");
    engine.reset();
    state.ResumeTiming();
  }
  using benchmark::Counter;
  state.counters["hops/s"] = Counter(static_cast<double>(hops), Counter::kIsRate);
  state.counters["events/s"] = Counter(static_cast<double>(events), Counter::kIsRate);
  state.counters["events/hop"] = static_cast<double>(events) / static_cast<double>(hops);
  state.counters["in_flight"] = static_cast<double>(packets);
  state.counters["B/packet"] = static_cast<double>(memory_B) / static_cast<double>(packets);
  state.counters["peak_MB"] = bench::peak_memory_MB();
}

constexpr const char* k1k = "dragonfly:a=8,p=4,h=4,g=33";
constexpr const char* k16k = "dragonfly:a=16,p=8,h=8,g=129";
constexpr Time kMicrosecond = 1'000'000;

#define WEFT_CASE(name, ...) \
  BENCHMARK_CAPTURE(run, name, __VA_ARGS__)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()
WEFT_CASE(1k_adaptive_load_026, k1k, "ugal-l", 0.26, 200 * kMicrosecond);
WEFT_CASE(16k_minimal_load_026, k16k, "minimal", 0.26, 40 * kMicrosecond);
WEFT_CASE(16k_adaptive_load_026, k16k, "ugal-l", 0.26, 40 * kMicrosecond);
WEFT_CASE(16k_valiant_load_026, k16k, "valiant", 0.26, 40 * kMicrosecond);
WEFT_CASE(16k_adaptive_load_07, k16k, "ugal-l", 0.7, 20 * kMicrosecond);
WEFT_CASE(1k_flits_adaptive_load_026, k1k, "ugal-l", 0.26, 50 * kMicrosecond, Granularity::flit);

// How the cost of 20 us grows with balanced Dragonflies (a = 2p = 2h, g = ah + 1), and with the
// load (bench/packet_scaling.py draws it).
constexpr Time kScaling = 20 * kMicrosecond;
WEFT_CASE(terminals_1056, "dragonfly:a=8,p=4,h=4", "ugal-l", 0.26, kScaling);
WEFT_CASE(terminals_2550, "dragonfly:a=10,p=5,h=5", "ugal-l", 0.26, kScaling);
WEFT_CASE(terminals_5256, "dragonfly:a=12,p=6,h=6", "ugal-l", 0.26, kScaling);
WEFT_CASE(terminals_9702, "dragonfly:a=14,p=7,h=7", "ugal-l", 0.26, kScaling);
WEFT_CASE(terminals_16512, k16k, "ugal-l", 0.26, kScaling);
WEFT_CASE(terminals_26406, "dragonfly:a=18,p=9,h=9", "ugal-l", 0.26, kScaling);
WEFT_CASE(terminals_40200, "dragonfly:a=20,p=10,h=10", "ugal-l", 0.26, kScaling);
WEFT_CASE(terminals_58806, "dragonfly:a=22,p=11,h=11", "ugal-l", 0.26, kScaling);
WEFT_CASE(load_10, k16k, "ugal-l", 0.1, kScaling);
WEFT_CASE(load_20, k16k, "ugal-l", 0.2, kScaling);
WEFT_CASE(load_30, k16k, "ugal-l", 0.3, kScaling);
WEFT_CASE(load_40, k16k, "ugal-l", 0.4, kScaling);
WEFT_CASE(load_50, k16k, "ugal-l", 0.5, kScaling);
WEFT_CASE(load_60, k16k, "ugal-l", 0.6, kScaling);
WEFT_CASE(load_70, k16k, "ugal-l", 0.7, kScaling);
WEFT_CASE(load_80, k16k, "ugal-l", 0.8, kScaling);

}  // namespace
}  // namespace weft::simulation
