// CODES's routers by hand: one to three chunks, from the facts in codes_routers.hpp. Each jitter is
// drawn below 1 ns, the look of an idle port from 10.5 to 11 ns: a time lies so much above its
// least.
#include <gtest/gtest.h>

#include <vector>

#include "support/burst.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/packet_engine.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

// Links of 1 GB/s between routers, of 2 GB/s to hosts, without latency: a chunk of 256 B takes 256
// and 128 ns, a credit of 8 B takes 8 and 4 ns.
Fabric linked(const char* topology, const char* between = "1GBps,0s",
              const char* to_hosts = "terminal=2GBps,0s") {
  LinkOptions links;
  topology::parse_link_option(between, links);
  topology::parse_link_option(to_hosts, links);
  return Fabric(build_topology(topology), links);
}

PacketOptions codes_options() {
  return {.routing = "shortest-table", .router = RouterKind::codes, .router_delay_ps = 50'000};
}

constexpr Time kChunkUp = 128'000, kChunkBetween = 256'000, kLookahead = 10'000, kDelay = 50'000;
constexpr Time kAdapter = kLookahead + kChunkUp;                // holds an adapter
constexpr Time kBetween = kLookahead + kChunkBetween + kDelay;  // holds a router's port
constexpr Time kToHost = kLookahead + kChunkUp + kDelay;
constexpr Time kLook = 10'500;
constexpr Time kJitter = 1'000, kLookSpread = 500;

// A message's notice is an event of 128 B at the inverse of so many GB/s, and a lookahead.
constexpr Time notice(double GBps) {
  constexpr double kGiB = 1 << 30;
  return kLookahead + static_cast<Time>(128 * GBps * 1e9 / kGiB / kGiB * 1e12);
}

testing::AssertionResult within(Time time, Time least, Time spread) {
  if (time >= least && time < least + spread) return testing::AssertionSuccess();
  return testing::AssertionFailure() << time << " is not in " << least << " + " << spread;
}

// Hosts 2 and 3 on routers 0 and 1: the adapter and two ports.
TEST(CodesRouters, one_chunk_over_two_routers) {
  const auto engine = make_packet_engine(linked("hosts(1, mesh:2)"), codes_options());
  Burst burst(*engine, {{.from = NodeId(2), .to = NodeId(3), .bytes = 256}});
  engine->run();
  EXPECT_TRUE(within(burst.injected_at[0], kAdapter, kJitter));
  EXPECT_TRUE(within(burst.delivered_at[0],
                     kAdapter + kLook + kBetween + kLook + kToHost + notice(2),
                     3 * kJitter + 2 * kLookSpread));
  EXPECT_EQ(engine->traffic(burst.id()).packets, 1);
  EXPECT_EQ(engine->traffic(burst.id()).mean_hops, 2);
}

// A short chunk takes the time of a whole one; links have their latency, adapters their delay.
TEST(CodesRouters, a_short_chunk_costs_a_whole_one) {
  PacketOptions options = codes_options();
  options.adapter_delay_ps = 7'000;
  const auto engine = make_packet_engine(linked("hosts(1, mesh:2)", "1GBps,300ns"), options);
  Burst burst(*engine, {{.from = NodeId(2), .to = NodeId(3), .bytes = 1}});
  engine->run();
  EXPECT_TRUE(within(burst.delivered_at[0],
                     14'000 + 300'000 + kAdapter + kLook + kBetween + kLook + kToHost + notice(2),
                     3 * kJitter + 2 * kLookSpread));
}

// The first chunk is at router 0 after 138 ns and looked at after 148.5; the port is then held for
// 316 ns a chunk, 50 of them its own delay, while the adapter brings one in 138: the second and the
// third follow 316 ns apart, over the last port (188 ns) likewise.
TEST(CodesRouters, the_delay_holds_the_port) {
  const auto engine = make_packet_engine(linked("hosts(1, mesh:2)"), codes_options());
  Burst burst(*engine, {{.from = NodeId(2), .to = NodeId(3), .bytes = 3 * 256}});
  engine->run();
  EXPECT_TRUE(within(burst.injected_at[0], 3 * kAdapter, 3 * kJitter));
  EXPECT_TRUE(within(burst.delivered_at[0],
                     kAdapter + kLook + 3 * kBetween + kLook + kToHost + notice(2),
                     5 * kJitter + 2 * kLookSpread));
  EXPECT_EQ(engine->traffic(burst.id()).packets, 3);
}

// A buffer of one chunk. The second chunk waits in router 0 until the first one's credit is back
// from router 1, where the first gave its place back as soon as it had one at the next output
// (there is none for it to wait for): it is there after 138 + 10.5 + 316 ns, and the credit takes
// 10 + 8.
TEST(CodesRouters, a_full_channel_waits_for_its_credit) {
  PacketOptions options = codes_options();
  options.buffers.all = 256;
  const auto engine = make_packet_engine(linked("hosts(1, mesh:2)"), options);
  Burst burst(*engine, {{.from = NodeId(2), .to = NodeId(3), .bytes = 2 * 256}});
  engine->run();
  const Time first_over = kAdapter + kLook + kBetween;
  const Time credit = kLookahead + 8'000;
  EXPECT_TRUE(within(burst.delivered_at[0],
                     first_over + credit + kLook + kBetween + kLook + kToHost + notice(2),
                     5 * kJitter + 3 * kLookSpread));
  EXPECT_EQ(engine->link_peaks_B()[0], 256);
}

// An adapter waits likewise: with one place in the router's input, which is free again when the
// chunk has its place at the output (at once, when it comes), 10 + 4 ns and a look later.
TEST(CodesRouters, an_adapter_waits_for_its_credit) {
  PacketOptions options = codes_options();
  options.buffers.by_class["terminal"] = 256;
  options.buffers.all = 16'384;
  const auto engine = make_packet_engine(linked("hosts(1, mesh:2)"), options);
  Burst burst(*engine, {{.from = NodeId(2), .to = NodeId(3), .bytes = 2 * 256}});
  engine->run();
  EXPECT_TRUE(within(burst.injected_at[0], kAdapter + kLookahead + 4'000 + kLook + kAdapter,
                     3 * kJitter + kLookSpread));
}

// Two hosts on each router of a line. Router 1 sends two chunks of each of its own hosts; one from
// router 0 climbs to channel 1 on its path and goes before what is still in channel 0. With 8 GB/s
// to hosts an adapter is held for 42 ns: the port of router 1 looks at 52.5 ns, when the first two
// chunks have come, and each 266 ns after, before it is free. At 318.5 it takes the second one (the
// stranger comes at 42 + 10.5 + 316 = 368.5), at 584.5 the stranger: it is third of five.
TEST(CodesRouters, the_highest_channel_goes_first) {
  const Fabric fabric = linked("hosts(2, mesh:3)", "1GBps,0s", "terminal=8GBps,0s");
  PacketOptions options = codes_options();
  options.routing.clear();
  options.vcs = 2;
  options.buffers.all = 16'384;
  const auto engine = make_packet_engine(fabric, options);
  const auto path = [&](std::vector<int> nodes) {
    std::vector<LinkId> links;
    for (std::size_t i = 1; i < nodes.size(); ++i)
      links.push_back(fabric.topology().find_link(NodeId(nodes[i - 1]), NodeId(nodes[i])).value());
    return links;
  };
  const auto far = path({3, 0, 1, 2, 7}), near = path({5, 1, 2, 8}), next = path({6, 1, 2, 8});
  Burst burst(*engine, {{.from = NodeId(3), .to = NodeId(7), .bytes = 256, .path = far},
                        {.from = NodeId(5), .to = NodeId(8), .bytes = 2 * 256, .path = near},
                        {.from = NodeId(6), .to = NodeId(8), .bytes = 2 * 256, .path = next}});
  engine->run();
  constexpr Time kFast = kLookahead + 32'000;
  EXPECT_TRUE(within(burst.delivered_at[0],
                     kFast + kLook + 3 * kBetween + kLook + kFast + kDelay + notice(8),
                     5 * kJitter + 2 * kLookSpread));
}

TEST(CodesRouters, pass_no_flits) {
  PacketOptions options = codes_options();
  options.granularity = Granularity::flit;
  EXPECT_THROW(make_packet_engine(linked("hosts(1, mesh:2)"), options), InvalidInput);
}

}  // namespace
}  // namespace weft::simulation
