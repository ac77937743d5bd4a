// Time series of packet runs: bytes are conserved, a queue grows at the rate that theory gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/packet_engine.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr std::int64_t kBandwidth_Bps = 1'000'000'000;  // 1 byte a nanosecond
constexpr Time kMicrosecond = 1'000'000;

struct Sending {
  std::int32_t from, to;
  std::int64_t bytes;
};

/// Sends all at time 0.
class AtOnce final : public PacketSource {
 public:
  AtOnce(PacketEngine& engine, std::vector<Sending> all)
      : engine_(engine), all_(std::move(all)), id_(engine.add(*this)) {}
  void begin() override {
    for (const Sending& s : all_)
      engine_.send(id_, {.from = NodeId(s.from), .to = NodeId(s.to), .bytes = s.bytes});
  }
  void wake(std::uint32_t) override {}

 private:
  PacketEngine& engine_;
  std::vector<Sending> all_;
  SourceId id_;
};

struct Outcome {
  std::vector<TrafficSample> samples;
  std::vector<std::int64_t> link_bytes, link_peaks_B;
  Time end;
};

Outcome run(const Fabric& fabric, const std::vector<Sending>& all, Time interval_ps,
            Switching switching = Switching::cut_through) {
  PacketOptions options;
  options.routing = "shortest-table";
  options.packet_B = 500;
  options.switching = switching;
  options.buffers.all = 100'000;
  options.sample_interval_ps = interval_ps;
  options.credit_delay_ps = 0;  // a buffer counts as taken until its credit is back
  const auto engine = make_packet_engine(fabric, options);
  AtOnce source(*engine, all);
  engine->run();
  return {engine->samples(), engine->link_bytes(), engine->link_peaks_B(), engine->now()};
}

Fabric star(int hosts) {
  return Fabric(make_topology("xgft:1;" + std::to_string(hosts) + ";1"),
                {.bandwidth_Bps = kBandwidth_Bps, .latency_ps = 0});
}

// Each byte that crossed a link is in one sample: the sum of utilisation, time and capacity.
TEST(TimeSeries, holds_every_byte_once_and_ends_empty) {
  LinkOptions links;
  topology::parse_link_option("1GBps,300ns", links);
  const Fabric torus(build_topology("hosts(2, torus:3x3)"), links);
  std::vector<Sending> all;
  for (std::int32_t h = 0; h < 18; ++h)
    all.push_back({9 + h, 9 + (h * 7 + 5) % 18, 20'000 + 700 * h});
  const Outcome ran = run(torus, all, 3 * kMicrosecond);
  const Topology& topology = torus.topology();
  std::vector<double> sent_B(topology.class_names().size()), capacity_Bps(sent_B.size()),
      crossed_B(sent_B.size());
  for (const LinkId link : topology.links()) {
    crossed_B[topology.link_class(link).index()] +=
        static_cast<double>(ran.link_bytes[link.index()]);
    capacity_Bps[topology.link_class(link).index()] += static_cast<double>(kBandwidth_Bps);
  }
  double before_s = 0;
  for (const TrafficSample& sample : ran.samples) {
    for (std::size_t c = 0; c < sent_B.size(); ++c) {
      EXPECT_LE(sample.classes[c].utilisation, 1 + 1e-9);
      EXPECT_LE(sample.classes[c].fullest, 1);
      sent_B[c] += sample.classes[c].utilisation * capacity_Bps[c] * (sample.time_s - before_s);
    }
    before_s = sample.time_s;
  }
  ASSERT_GT(ran.samples.size(), 5u);
  for (std::size_t c = 0; c < sent_B.size(); ++c) EXPECT_NEAR(sent_B[c], crossed_B[c], 1) << c;
  const TrafficSample& last = ran.samples.back();
  EXPECT_DOUBLE_EQ(last.time_s, static_cast<double>(ran.end) * 1e-12);
  EXPECT_EQ(last.packets, 0);
  for (const ClassSample& sample : last.classes) {
    EXPECT_EQ(sample.queued_B, 0);
    EXPECT_EQ(sample.buffered_B, 0);
  }
}

// Two hosts send at the rate of the link that both need: what it cannot send, one byte a
// nanosecond, queues for it. Store-and-forward: a first packet takes 500 ns to arrive.
TEST(TimeSeries, a_queue_grows_by_what_the_link_cannot_send) {
  const Outcome ran =
      run(star(3), {{0, 2, 40'000}, {1, 2, 40'000}}, kMicrosecond, Switching::store_and_forward);
  for (std::size_t i = 4; i < 36; ++i) {
    const double expected_B = ran.samples[i].time_s * 1e9 - 500;
    EXPECT_NEAR(static_cast<double>(ran.samples[i].classes[0].max_queued_B), expected_B, 1000)
        << ran.samples[i].time_s;
  }
}

TEST(TimeSeries, a_link_in_use_all_the_time_counts_whole) {
  const Outcome ran = run(star(2), {{0, 1, 1'000'000}}, 10 * kMicrosecond);
  // Of four links (two hosts, both ways) two are in use, the second half a packet later.
  for (std::size_t i = 1; i < 99; ++i)
    EXPECT_NEAR(ran.samples[i].classes[0].utilisation, 0.5, 1e-9) << i;
}

// Hosts of 1 GB/s, switches of 10: a packet of 500 bytes holds a link between switches for 500 ns,
// in which no bytes are taken back and no more than the packet waits.
TEST(TimeSeries, a_packet_over_a_slower_link_queues_once) {
  LinkOptions links;
  topology::parse_link_option("terminal=1GBps,0s", links);
  topology::parse_link_option("level1=10GBps,0s", links);
  const Fabric tree(build_topology("xgft:2;2,2;1,1"), links);
  const Outcome ran = run(tree, {{0, 3, 20'000}}, kMicrosecond / 10);
  const auto names = tree.topology().class_names().values();
  const auto level1 = static_cast<std::size_t>(std::ranges::find(names, "level1") - names.begin());
  ASSERT_LT(level1, names.size());
  for (const TrafficSample& sample : ran.samples) {
    EXPECT_GE(sample.classes[level1].utilisation, 0) << sample.time_s;
    EXPECT_LE(sample.classes[level1].max_queued_B, 500) << sample.time_s;
  }
}

TEST(TimeSeries, changes_nothing_of_the_run) {
  const std::vector<Sending> all{{0, 3, 70'000}, {1, 3, 50'000}, {2, 0, 9'999}};
  const Outcome plain = run(star(4), all, 0), sampled = run(star(4), all, 77'777);
  EXPECT_TRUE(plain.samples.empty());
  EXPECT_EQ(plain.end, sampled.end);
  EXPECT_EQ(plain.link_bytes, sampled.link_bytes);
  EXPECT_EQ(plain.link_peaks_B, sampled.link_peaks_B);
}

// Idle times longer than the 32 bits of picoseconds in which returned credits are noted.
TEST(TimeSeries, waits_of_milliseconds_lose_no_credit) {
  const Fabric slow(make_topology("xgft:1;2;1"),
                    {.bandwidth_Bps = 100'000, .latency_ps = 2'000'000'000});  // 5 ms a packet
  const Outcome ran = run(slow, {{0, 1, 5'000}}, 50'000 * kMicrosecond);
  EXPECT_EQ(ran.samples.back().classes[0].buffered_B, 0);
  EXPECT_EQ(ran.link_bytes[0], 5'000);
}

TEST(TimeSeries, refuses_a_hundred_thousand_samples) {
  EXPECT_THROW(run(star(2), {{0, 1, 1'000'000}}, 1'000), InvalidInput);
}

}  // namespace
}  // namespace weft::simulation
