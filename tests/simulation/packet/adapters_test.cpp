// What hosts' adapters and worms hold, by hand: links of 1 GB/s and 100 ns round one switch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <tuple>
#include <vector>

#include "support/burst.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

Fabric star(int hosts) {
  return Fabric(make_topology(fmt::format("xgft:1;{};1", hosts)),
                {.bandwidth_Bps = 1'000'000'000, .latency_ps = 100'000});
}

/// Adapters of 700 ns; a message is one packet of 500 bytes, 500 ns.
PacketOptions slow_adapters(AdapterKind adapter) {
  return {.routing = "shortest-table",
          .packet_B = 500,
          .adapter_delay_ps = 700'000,
          .adapter = adapter};
}

std::vector<Time> delivered(const Fabric& fabric, const PacketOptions& options,
                            const std::vector<PacketMessage>& messages) {
  const auto engine = make_packet_engine(fabric, options);
  Burst burst(*engine, messages);
  engine->run();
  return burst.delivered_at;
}

PacketMessage message(int from, int to, std::int64_t bytes = 500, Time delay = 0) {
  return {.from = NodeId(from), .to = NodeId(to), .bytes = bytes, .delay = delay};
}

// They leave 500 ns apart where the adapter's delay is a latency, else 700 ns; two links and the
// other adapter come behind.
TEST(Adapters, serial_ones_hold_what_is_sent) {
  const std::vector<PacketMessage> three{message(0, 1), message(0, 2), message(0, 3)};
  EXPECT_EQ(delivered(star(4), slow_adapters(AdapterKind::pipelined), three),
            (std::vector<Time>{2'100'000, 2'600'000, 3'100'000}));
  for (const AdapterKind adapter : {AdapterKind::serial, AdapterKind::shared})
    EXPECT_EQ(delivered(star(4), slow_adapters(adapter), three),
              (std::vector<Time>{2'100'000, 2'800'000, 3'500'000}));
}

// At 1.4, 1.9 and 2.4 us their last bytes are there.
TEST(Adapters, serial_ones_hold_what_comes) {
  const std::vector<PacketMessage> three{message(1, 0), message(2, 0), message(3, 0)};
  EXPECT_EQ(delivered(star(4), slow_adapters(AdapterKind::pipelined), three),
            (std::vector<Time>{2'100'000, 2'600'000, 3'100'000}));
  for (const AdapterKind adapter : {AdapterKind::serial, AdapterKind::shared})
    EXPECT_EQ(delivered(star(4), slow_adapters(adapter), three),
              (std::vector<Time>{2'100'000, 2'800'000, 3'500'000}));
}

// What comes to host 0 at 1.4 us finds its adapter busy with what it sends, from 1 to 1.7 us.
TEST(Adapters, shared_ones_do_one_of_both) {
  const std::vector<PacketMessage> both{message(0, 1, 500, 1'000'000), message(2, 0)};
  for (const AdapterKind adapter : {AdapterKind::pipelined, AdapterKind::serial})
    EXPECT_EQ(delivered(star(3), slow_adapters(adapter), both),
              (std::vector<Time>{3'100'000, 2'100'000}));
  EXPECT_EQ(delivered(star(3), slow_adapters(AdapterKind::shared), both),
            (std::vector<Time>{3'100'000, 2'400'000}));
}

// In any order of sending, what is at the adapter first passes it first.
TEST(Adapters, take_messages_as_they_come) {
  PacketOptions options = slow_adapters(AdapterKind::serial);
  EXPECT_EQ(delivered(star(3), options, {message(0, 1, 500, 10'000), message(0, 2)}),
            (std::vector<Time>{2'800'000, 2'100'000}));
  options.injection = InjectionOrder::in_order;
  EXPECT_EQ(delivered(star(3), options, {message(0, 1, 500, 10'000), message(0, 2)}),
            (std::vector<Time>{2'800'000, 2'100'000}));
}

TEST(Adapters, without_a_delay_hold_nothing) {
  EXPECT_THROW(make_packet_engine(star(2), {.adapter = AdapterKind::serial}), InvalidInput);
}

// Host 0 is sending four packets until 2 us when at 0.7 us it is to acknowledge what has come. The
// answer of 64 ns leaves behind the packet under way, at 1 us, or behind them all.
TEST(Injection, acknowledgements_wait_for_data) {
  const Fabric fabric = star(3);
  for (const auto& [injection, data_at, answer_at] :
       {std::tuple{InjectionOrder::interleaved, 2'264'000, 1'264'000},
        std::tuple{InjectionOrder::in_order, 2'200'000, 2'264'000}}) {
    const auto engine = make_packet_engine(
        fabric, {.routing = "shortest-table", .packet_B = 500, .injection = injection});
    PacketMessage asks = message(2, 0);
    asks.acknowledge = true;
    Burst burst(*engine, {message(0, 1, 2'000), asks});
    engine->run();
    EXPECT_EQ(burst.delivered_at[0], data_at);
    EXPECT_EQ(burst.acknowledged_at[1], answer_at);
  }
}

// One after the other, in place of packet by packet.
TEST(Injection, in_order_sends_whole_messages) {
  const std::vector<PacketMessage> two{message(0, 1, 1'000), message(0, 2, 1'000)};
  PacketOptions options{.routing = "shortest-table", .packet_B = 500};
  EXPECT_EQ(delivered(star(3), options, two), (std::vector<Time>{1'700'000, 2'200'000}));
  options.injection = InjectionOrder::in_order;
  EXPECT_EQ(delivered(star(3), options, two), (std::vector<Time>{1'200'000, 2'200'000}));
}

/// Host 1 sends 1,000 bytes to host 2 when it has the message of host 0.
class PassesOn final : public PacketSource {
 public:
  explicit PassesOn(PacketEngine& engine) : engine_(engine), id_(engine.add(*this)) {}

  void begin() override {
    PacketMessage first = message(0, 1);
    first.acknowledge = true;
    engine_.send(id_, first);
  }
  void wake(std::uint32_t) override {}
  void delivered(std::uint64_t tag) override {
    if (tag == 1) passed_on_at = engine_.now();
    if (tag == 1) return;
    PacketMessage next = message(1, 2, 1'000);
    next.tag = 1;
    engine_.send(id_, next);
  }
  void acknowledged(std::uint64_t) override { acknowledged_at = engine_.now(); }

 private:
  PacketEngine& engine_;
  SourceId id_;

 public:
  Time passed_on_at = -1, acknowledged_at = -1;
};

// The first message is there at 0.7 us. What then leaves first takes 64 ns or 1 us of the link.
TEST(Injection, data_may_go_before_acknowledgements) {
  for (const auto& [injection, data_at, answer_at] :
       {std::tuple{InjectionOrder::in_order, 1'964'000, 964'000},
        std::tuple{InjectionOrder::data_first, 1'900'000, 1'964'000}}) {
    const Fabric fabric = star(3);
    const auto engine = make_packet_engine(
        fabric, {.routing = "shortest-table", .packet_B = 500, .injection = injection});
    PassesOn source(*engine);
    engine->run();
    EXPECT_EQ(source.passed_on_at, data_at);
    EXPECT_EQ(source.acknowledged_at, answer_at);
  }
}

PacketOptions worms(std::int64_t packet_B, ChannelReuse reuse) {
  PacketOptions options{.routing = "shortest-table",
                        .granularity = Granularity::flit,
                        .packet_B = packet_B,
                        .flit_B = 100,
                        .switching = Switching::wormhole,
                        .vcs = 1,
                        .router_delay_ps = 50'000,
                        .credit_delay_ps = 30'000,
                        .vc_reuse = reuse};
  options.buffers.all = 1'000;
  return options;
}

// Five packets of one flit, 100 ns. The next one leaves at once, or when the credit of the last is
// back: it came in (100 + 100 ns), passed the router (50 ns), and the credit took 30 ns.
TEST(ChannelReuse, of_empty_ones_alone_stops_and_goes) {
  const std::vector<PacketMessage> one{message(0, 1)};
  const Time path = 2 * 100'000 + 50'000 + 100'000;
  EXPECT_EQ(delivered(star(2), worms(100, ChannelReuse::at_tail), one)[0], 4 * 100'000 + path);
  EXPECT_EQ(delivered(star(2), worms(100, ChannelReuse::empty), one)[0], 4 * 280'000 + path);
}

// Two worms of three flits reach the switch at 150 ns. The first one's tail is in the output at
// 350 ns, its last byte on the link at 450 ns, at the host at 550 ns, and the credit back at 580.
TEST(ChannelReuse, worms_hold_the_output_until_their_tail_is_out) {
  const std::vector<PacketMessage> two{message(0, 2, 300), message(1, 2, 300)};
  EXPECT_EQ(delivered(star(3), worms(300, ChannelReuse::at_tail), two),
            (std::vector<Time>{550'000, 850'000}));
  EXPECT_EQ(delivered(star(3), worms(300, ChannelReuse::empty), two),
            (std::vector<Time>{550'000, 980'000}));
}

TEST(ChannelReuse, is_of_flits_and_output_buffers) {
  PacketOptions options = worms(100, ChannelReuse::empty);
  options.router = RouterKind::input_queued;
  EXPECT_THROW(make_packet_engine(star(2), options), InvalidInput);
  EXPECT_THROW(
      make_packet_engine(star(2), {.routing = "shortest-table", .vc_reuse = ChannelReuse::empty}),
      InvalidInput);
}

// On networks whose hosts are routers too, with other routers.
TEST(Adapters, are_of_any_router) {
  const Fabric ring(make_topology("ring:4"),
                    {.bandwidth_Bps = 1'000'000'000, .latency_ps = 100'000});
  for (const RouterKind router :
       {RouterKind::output_buffered, RouterKind::input_queued, RouterKind::codes}) {
    PacketOptions options = slow_adapters(AdapterKind::serial);
    options.packet_B = 256;
    options.router = router;
    if (router == RouterKind::input_queued) options.granularity = Granularity::flit;
    const std::vector<PacketMessage> two{message(0, 1, 64), message(0, 3, 64)};
    const std::vector<Time> serial = delivered(ring, options, two);
    options.adapter = AdapterKind::pipelined;
    const std::vector<Time> pipelined = delivered(ring, options, two);
    const Time later = serial[1] - pipelined[1] - 700'000;
    EXPECT_LE(std::abs(serial[0] - pipelined[0]), 2'000) << name_of(router);  // jitter of CODES
    EXPECT_LE(std::abs(later), 128'000) << name_of(router);                   // cycles
  }
}

}  // namespace
}  // namespace weft::simulation
