// Packet routings: their channels wait for each other in no cycle, their paths have the length that
// theory says, alone and loaded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/burst.hpp"
#include "support/channel_dependencies.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

struct Case {
  const char* topology;
  const char* routing;
  int vcs;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.routing << " on " << c.topology;
}

constexpr Case kCases[] = {
    {"dragonfly:a=4,p=1,h=2", "minimal", 2},
    {"dragonfly:a=4,p=1,h=2", "valiant", 3},
    {"dragonfly:a=4,p=1,h=2", "ugal-l", 3},
    {"dragonfly:a=4,p=1,h=2", "ugal-g", 3},
    {"dragonfly:a=4,p=1,h=2", "par", 4},
    {"dragonfly:a=4,p=1,h=2,g=4", "par", 4},  // parallel links between groups
    {"dragonfly:a=4,p=1,h=2,g=2", "par", 2},  // no third group
    {"torus:4x4", "shortest-table", 4},
};

Fabric fabric_of(const std::string& topology) {
  return Fabric(make_topology(topology), {.bandwidth_Bps = 1'000'000'000, .latency_ps = 100'000});
}

class PacketRouting : public ::testing::TestWithParam<Case> {};

// The channels are no more than stated, all of them are of use, and the graph of which is held
// while which is asked for has no cycle (Dally and Seitz 1987).
TEST_P(PacketRouting, channels_wait_in_no_cycle) {
  const Case& c = GetParam();
  const ChannelDependencies found =
      find_channel_dependencies(fabric_of(c.topology), {.routing = c.routing}, 60);
  EXPECT_EQ(found.fault, "");
  EXPECT_EQ(found.vcs, c.vcs);
  EXPECT_EQ(found.channels_used, c.vcs);
  EXPECT_TRUE(found.acyclic);
}

TEST_P(PacketRouting, refuses_fewer_channels_and_says_how_many) {
  const Case& c = GetParam();
  if (c.vcs == 1) return;
  try {
    make_packet_engine(fabric_of(c.topology), {.routing = c.routing, .vcs = c.vcs - 1});
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(fmt::format("give {} or more", c.vcs)),
              std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(cases, PacketRouting, ::testing::ValuesIn(kCases));

TEST(PacketRouting, a_cycle_is_found) {
  const ChannelDependencies found = one_channel_round_a_ring(fabric_of("uniring:4"));
  EXPECT_EQ(found.fault, "");
  EXPECT_EQ(found.pairs, 4u);
  EXPECT_FALSE(found.acyclic);
}

// a = 4, h = 2, 9 groups, one link between any two. Hosts in other groups: a gateway is the router
// itself once in a = 4, so minimal paths have 1 + 2 * 3/4 links. On a Valiant path the gateways of
// two groups are one router for (h - 1) of the a h - 1 others: 2 + 2 * 3/4 + 6/7 links. Of the 35
// other routers 3 are in the group, one link away.
TEST(PacketRouting, dragonfly_paths_are_as_long_as_theory_says) {
  const auto mean = [](const char* routing, int rounds) {
    return find_channel_dependencies(fabric_of("dragonfly:a=4,p=1,h=2"), {.routing = routing},
                                     rounds)
        .mean_links;
  };
  const auto overall = [](double far) { return (3 * 1 + 32 * far) / 35; };
  EXPECT_DOUBLE_EQ(mean("minimal", 1), overall(2.5));
  EXPECT_DOUBLE_EQ(mean("ugal-g", 1), overall(2.5));  // without load
  EXPECT_DOUBLE_EQ(mean("par", 1), overall(2.5));
  // 1260 walks a round; a walk's length has a variance below 1, so 5 sigma are 0.02.
  EXPECT_NEAR(mean("valiant", 60), overall(3.5 + 6. / 7), 0.02);
}

// One packet of 500 bytes at 1 GB/s over L links of 100 ns and as many routers less one of 50 ns.
TEST(PacketRouting, dragonfly_packets_alone_take_the_minimal_path) {
  for (const char* routing : {"minimal", "ugal-l", "ugal-g", "par"}) {
    const auto engine =
        make_packet_engine(fabric_of("dragonfly:a=4,p=2,h=2"),
                           {.routing = routing, .packet_B = 500, .router_delay_ps = 50'000});
    Burst burst(*engine, {{.from = NodeId(36), .to = NodeId(107), .bytes = 500}});
    engine->run();
    const auto routers = static_cast<Time>(burst.traffic().mean_hops);
    EXPECT_GE(routers, 2);
    EXPECT_LE(routers, 4);
    EXPECT_EQ(burst.delivered_at[0], (routers + 1) * 100'000 + routers * 50'000 + 500'000);
  }
}

/// When the last of 40 KB from every host of a group to a host of the next has come, in the time
/// that a host's link takes for them.
double to_the_next_group(const char* routing) {
  const Fabric fabric = fabric_of("dragonfly:a=4,p=2,h=2");
  const auto engine = make_packet_engine(fabric, {.routing = routing, .packet_B = 500});
  std::vector<PacketMessage> messages;
  const std::int32_t routers = 36, hosts = 72, of_group = 8;
  constexpr std::int64_t kBytes = 40'000;
  for (std::int32_t h = 0; h < hosts; ++h)
    messages.push_back({.from = NodeId(routers + h),
                        .to = NodeId(routers + (h + of_group) % hosts),
                        .bytes = kBytes});
  Burst burst(*engine, messages);
  engine->run();
  return static_cast<double>(*std::ranges::max_element(burst.delivered_at)) / (kBytes * 1e3);
}

// Minimal paths share one global link among a p = 8 hosts: 8 times the bytes of a host. Valiant
// takes two of the a h = 8 global links' share, 2 p / h = 2 times at best: 4 times as fast. With
// the minimal link used besides it is 8 / (9 / 2) = 1.8 times, 4.5 times as fast.
TEST(PacketRouting, adaptive_beats_minimal_where_groups_send_to_the_next) {
  const double minimal = to_the_next_group("minimal");
  EXPECT_NEAR(minimal, 8, 0.1);
  const auto gain = [&](const char* routing) { return minimal / to_the_next_group(routing); };
  const double valiant = gain("valiant");
  EXPECT_GT(valiant, 0.7 * 4);  // draws are uneven, and the burst has an end
  EXPECT_LT(valiant, 4);
  for (const char* routing : {"ugal-l", "ugal-g", "par"}) {
    EXPECT_GT(gain(routing), 0.75 * 4.5) << routing;
    EXPECT_LT(gain(routing), 4.5) << routing;
  }
}

}  // namespace
}  // namespace weft::simulation
