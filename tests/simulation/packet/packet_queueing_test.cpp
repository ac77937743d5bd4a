// Queues of packets against queueing theory: Poisson arrivals, deterministic service.
#include <gtest/gtest.h>

#include <cmath>

#include "weft/base/random.hpp"
#include "weft/simulation/packet_engine.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr std::int64_t kPacket_B = 500;

/// One-packet messages from one host to another at exponential intervals, in one lane.
class Poisson final : public PacketSource {
 public:
  Poisson(PacketEngine& engine, NodeId from, NodeId to, double mean_ps, std::int64_t count)
      : engine_(engine),
        id_(engine.add(*this)),
        from_(from),
        to_(to),
        mean_ps_(mean_ps),
        left_(count) {}

  void begin() override { wake_later(); }
  void wake(std::uint32_t) override {
    engine_.send(id_, {.from = from_, .to = to_, .bytes = kPacket_B, .lane = 0});
    if (--left_ > 0) wake_later();
  }
  double mean_latency_s() const { return engine_.traffic(id_).message_latency.mean_s; }

 private:
  void wake_later() {
    const double wait_ps = -std::log1p(-random_.uniform()) * mean_ps_;
    engine_.wake(id_, engine_.now() + std::llround(wait_ps), 0);
  }

  PacketEngine& engine_;
  SourceId id_;
  NodeId from_, to_;
  double mean_ps_;
  std::int64_t left_;
  Rng random_{7};
};

/// The mean wait of M/D/1 (Pollaczek-Khinchine): rho s / 2 (1 - rho).
double md1_wait_s(double load, double service_s) {
  return load * service_s / (2 * (1 - load));
}

double measure_s(const Fabric& fabric, NodeId from, NodeId to, double mean_ps) {
  PacketOptions options;
  options.routing = "shortest-table";
  options.packet_B = kPacket_B;
  options.switching = Switching::store_and_forward;
  options.buffers.all = 1 << 30;
  const auto engine = make_packet_engine(fabric, options);
  Poisson source(*engine, from, to, mean_ps, 400'000);
  engine->run();
  return source.mean_latency_s();
}

// The link of the host is the queue; the one behind it gets packets no faster than it sends them.
TEST(PacketQueueing, a_link_is_md1) {
  const Fabric star(make_topology("xgft:1;2;1"), {.bandwidth_Bps = 1'000'000'000, .latency_ps = 0});
  const double service_s = 500e-9;
  for (const double load : {0.3, 0.6}) {
    const double wait_s =
        measure_s(star, NodeId(0), NodeId(1), service_s / load * 1e12) - 2 * service_s;
    EXPECT_NEAR(wait_s / md1_wait_s(load, service_s), 1, 0.01) << load;
  }
}

// Deterministic servers in a row make a packet wait as the slowest alone would: what waits at the
// first would have waited at the second.
TEST(PacketQueueing, a_tandem_waits_as_its_slowest_link) {
  LinkOptions links;
  topology::parse_link_option("1GBps,0s", links);
  topology::parse_link_option("terminal=1.6GBps,0s", links);
  const Fabric chain(build_topology("hosts(1, mesh:2)"), links);
  const double slow_s = 500e-9, fast_s = 312.5e-9, load = 0.6;
  const double wait_s =
      measure_s(chain, NodeId(2), NodeId(3), slow_s / load * 1e12) - (2 * fast_s + slow_s);
  EXPECT_NEAR(wait_s / md1_wait_s(load, slow_s), 1, 0.01);
}

}  // namespace
}  // namespace weft::simulation
