// Random traffic on small networks, in every mode: all is delivered, credits are home (the engine
// asserts it), nothing is faster than light, two runs are the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/burst.hpp"
#include "support/samples.hpp"
#include "weft/base/random.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

struct Setting {
  const char* topology;
  const char* routing;
};

constexpr Setting kSettings[] = {
    {"torus:4x4", "shortest-table"},
    {"kautz:2,3", "shortest-table"},
    {"xgft:2;4,4;1,2", "shortest-table"},
    {"dragonfly:a=4,p=2,h=2", "minimal"},
    {"dragonfly:a=4,p=2,h=2", "valiant"},
    {"dragonfly:a=4,p=2,h=2", "ugal-l"},
    {"dragonfly:a=4,p=2,h=2", "ugal-g"},
    {"dragonfly:a=4,p=2,h=2", "par"},
    {"torus:4x4", "valiant"},
    {"torus:4x5", "dimension-order"},
    {"torus:4x5", "minimal-adaptive"},
    {"mesh:4x4", "minimal-adaptive"},
    {"2dfc:4x4", "minimal-adaptive"},
    {"xgft:2;4,4;1,2", "up-down-random"},
    {"xgft:2;4,4;2,2", "up-down-adaptive"},
    {"dragonfly:a=4,p=2,h=2,g=4", "ugal-l"},  // parallel links between groups
};

struct Mode {
  Granularity granularity;
  Switching switching;
  RouterKind router = RouterKind::output_buffered;
};
constexpr Mode kModes[] = {
    {Granularity::packet, Switching::cut_through},
    {Granularity::packet, Switching::store_and_forward},
    {Granularity::flit, Switching::cut_through},
    {Granularity::flit, Switching::wormhole},
    {Granularity::flit, Switching::cut_through, RouterKind::input_queued},
    {Granularity::flit, Switching::wormhole, RouterKind::input_queued},
    {Granularity::packet, Switching::cut_through, RouterKind::codes},
};

struct Outcome {
  std::vector<Time> delivered_at;
  std::vector<std::int64_t> link_bytes;
  TrafficStatistics traffic;
};

class PacketProperty : public ::testing::TestWithParam<int> {
 protected:
  std::vector<PacketMessage> random_messages(const Topology& topology, Rng& rng) const {
    const auto hosts = static_cast<std::int64_t>(topology.hosts().size());
    std::vector<PacketMessage> messages(60);
    for (PacketMessage& m : messages) {
      const std::int64_t from = rng.below(hosts);
      const std::int64_t to = (from + 1 + rng.below(hosts - 1)) % hosts;
      m.from = topology.hosts()[from];
      m.to = topology.hosts()[to];
      m.bytes = 1 + rng.below(3'000);
      m.delay = rng.below(2'000'000);
      m.acknowledge = rng.below(4) == 0;
      m.lane = rng.below(3) == 0 ? static_cast<std::int32_t>(from) : -1;
    }
    return messages;
  }

  Outcome run(const Fabric& fabric, const PacketOptions& options,
              const std::vector<PacketMessage>& messages) const {
    const auto engine = make_packet_engine(fabric, options);
    Burst burst(*engine, messages);
    engine->run();
    return {burst.delivered_at, engine->link_bytes(), burst.traffic()};
  }
};

TEST_P(PacketProperty, all_is_delivered_and_repeatable) {
  const auto seeds = static_cast<std::uint64_t>(test::samples(12));
  const Setting& setting = kSettings[GetParam()];
  const Fabric fabric(make_topology(setting.topology),
                      {.bandwidth_Bps = 1'000'000'000, .latency_ps = 100'000});
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    for (const Mode& mode : kModes) {
      Rng rng(seed);
      PacketOptions options;
      options.routing = setting.routing;
      options.granularity = mode.granularity;
      options.packet_B = 200 + rng.below(400);
      options.flit_B = 50 + rng.below(100);
      options.switching = mode.switching;
      options.router = mode.router;
      const auto arbitration = static_cast<Arbitration>(rng.below(3));
      if (mode.router == RouterKind::output_buffered) options.arbitration = arbitration;
      options.router_delay_ps = rng.below(2) * 50'000;
      options.credit_delay_ps = rng.below(2) * 70'000;
      options.adapter_delay_ps = rng.below(2) * 60'000;
      if (options.adapter_delay_ps > 0) options.adapter = static_cast<AdapterKind>(rng.below(3));
      options.injection = static_cast<InjectionOrder>(rng.below(3));
      if (mode.router == RouterKind::output_buffered && mode.granularity == Granularity::flit)
        options.vc_reuse = static_cast<ChannelReuse>(rng.below(2));
      options.seed = seed;
      options.buffers.all = options.packet_B + rng.below(2) * 300;
      if (mode.switching == Switching::wormhole) options.buffers.all = options.flit_B;
      SCOPED_TRACE(fmt::format("{} {} seed {} mode {}, {}", setting.topology, setting.routing, seed,
                               name_of(mode.switching), name_of(mode.router)));
      const auto messages = random_messages(fabric.topology(), rng);
      const Outcome outcome = run(fabric, options, messages);
      const std::int64_t packet_B = mode.router == RouterKind::codes
                                        ? std::min<std::int64_t>(options.packet_B, 256)
                                        : options.packet_B;
      std::int64_t bytes = 0, packets = 0;
      for (std::size_t i = 0; i < messages.size(); ++i) {
        bytes += messages[i].bytes;
        packets += (messages[i].bytes + packet_B - 1) / packet_B;
        EXPECT_GE(outcome.delivered_at[i], messages[i].delay + 100'000 + messages[i].bytes * 1'000);
      }
      EXPECT_EQ(outcome.traffic.bytes, bytes);
      EXPECT_EQ(outcome.traffic.packets, packets);
      EXPECT_EQ(outcome.traffic.messages, std::ssize(messages));
      const Outcome again = run(fabric, options, messages);
      EXPECT_EQ(again.delivered_at, outcome.delivered_at);
      EXPECT_EQ(again.link_bytes, outcome.link_bytes);
    }
}

INSTANTIATE_TEST_SUITE_P(settings, PacketProperty,
                         ::testing::Range(0, static_cast<int>(std::size(kSettings))));

// Packets come out of order at most where paths differ; on one path of a single pair they are
// spaced by the slowest link: the latency of each is that of the first.
TEST(PacketProperty, a_lone_stream_does_not_queue) {
  const Fabric fabric(make_topology("dragonfly:a=4,p=2,h=2"),
                      {.bandwidth_Bps = 1'000'000'000, .latency_ps = 100'000});
  const auto engine = make_packet_engine(fabric, {.routing = "minimal", .packet_B = 500});
  Burst burst(*engine, {{.from = NodeId(36), .to = NodeId(107), .bytes = 50'000}});
  engine->run();
  EXPECT_EQ(burst.traffic().packet_latency.max_s, burst.traffic().packet_latency.mean_s);
}

}  // namespace
}  // namespace weft::simulation
