// Packet routings: their channels wait for each other in no cycle, their paths have the length that
// theory says, alone and loaded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "support/burst.hpp"
#include "support/judges/channel_dependencies.hpp"
#include "support/judges/first_choice.hpp"
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
    {"dragonfly:a=4,p=1,h=2", "codes-adaptive", 3},
    {"dragonfly:a=4,p=1,h=2", "par", 4},
    {"dragonfly:a=4,p=1,h=2,g=4", "par", 4},  // parallel links between groups
    {"dragonfly:a=4,p=1,h=2,g=2", "par", 2},  // no third group
    {"dragonfly:a=4,p=1,h=2", "minimal-split", 3},
    {"dragonfly:a=4,p=1,h=2,g=4", "minimal-split", 3},
    {"planes(2, dragonfly:a=2,p=1,h=2)", "minimal-split", 5},
    {"torus:4x4", "shortest-table", 4},
    {"torus:5x4", "valiant", 8},
    {"hosts(2, complete:5)", "valiant", 2},
    {"kautz:2,3", "valiant", 6},
    {"xgft:2;3,3;1,2", "valiant", 4},
    {"torus:4x4", "shortest-split", 4},
    {"xgft:2;4,4;2,2", "shortest-split", 4},
    {"torus:4x4", "widest-split", 4},
    {"xgft:2;4,4;2,2", "widest-split", 4},
    {"ring:6", "dimension-order", 2},
    {"torus:5x4", "dimension-order", 2},
    {"torus:4x2x4", "dimension-order", 2},
    {"hosts(1, torus:4x5)", "dimension-order", 2},
    {"mesh:4x3", "dimension-order", 1},
    {"2dfc:4x3", "dimension-order", 1},
    {"hyperx:4x3,3,2", "dimension-order", 1},
    {"ring:6", "minimal-adaptive", 3},
    {"torus:5x4", "minimal-adaptive", 3},
    {"torus:4x2x4", "minimal-adaptive", 3},
    {"mesh:4x3", "minimal-adaptive", 2},
    {"2dfc:4x3", "minimal-adaptive", 2},
    {"hyperx:4x3,3,2", "minimal-adaptive", 2},
    {"xgft:3;2,3,3;1,2,2", "up-down-random", 1},
    {"xgft:3;2,3,3;1,2,2", "up-down-adaptive", 1},
    {"xgft:2;4,4;2,2", "up-down-adaptive", 1},  // two cables a host
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

// What leaves dimension order for a hole climbs a channel of its own with each link.
TEST(PacketRouting, channels_wait_in_no_cycle_around_holes) {
  for (const char* topology :
       {"without(cable=0~1, torus:4x4)", "without(cable=0~1, cable=2~3, torus:4x5)",
        "without(node=5, node=6, torus:5x5)", "without(cable=0~1, node=8, mesh:4x4)",
        "without(cable=0, cable=9, hamming:3x4)", "without(cable=0, hyperx:4x3,2,1)",
        "hosts(1, without(node=6, cable=3, torus:4x4))"}) {
    const ChannelDependencies found =
        find_channel_dependencies(fabric_of(topology), {.routing = "dimension-order"}, 20);
    EXPECT_EQ(found.fault, "") << topology;
    EXPECT_TRUE(found.acyclic) << topology;
  }
}

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
  EXPECT_DOUBLE_EQ(mean("codes-adaptive", 1), overall(2.5));
  EXPECT_DOUBLE_EQ(mean("par", 1), overall(2.5));
  // 1260 walks a round; a walk's length has a variance below 1, so 5 sigma are 0.02.
  EXPECT_NEAR(mean("valiant", 60), overall(3.5 + 6. / 7), 0.02);
}

// Router 0 of group 0 has the global link to group 1; group 2 is behind router 1, at 4 GB/s. From 0
// to group 1: 100 bytes wait for the global link of 1 GB/s, 100 ns of it. The rule counts bytes,
// not times nor links: 25 ns of the local link are as many, 24 ns fewer.
TEST(PacketRouting, codes_adaptive_compares_the_bytes_at_two_outputs) {
  LinkOptions options;
  topology::parse_link_option("global=1GBps,100ns", options);
  topology::parse_link_option("local=4GBps,100ns", options);
  const Fabric fabric(build_topology("dragonfly:a=2,p=1,h=1"), options);
  const Topology& topology = fabric.topology();
  const LinkId local = *topology.find_link(NodeId(0), NodeId(1));
  const LinkId global = *topology.find_link(NodeId(0), NodeId(2));
  const auto chosen = [&](Time at_global, Time at_local) {
    return first_choice(fabric, {.routing = "codes-adaptive"}, NodeId(6), NodeId(8),
                        {{global, at_global}, {local, at_local}});
  };
  EXPECT_EQ(chosen(0, 0), global);
  EXPECT_EQ(chosen(100'000, 25'000), global);
  EXPECT_EQ(chosen(100'000, 24'000), local);
  EXPECT_EQ(chosen(1'000'000, 260'000), global);
  EXPECT_EQ(chosen(1'000'000, 0), local);
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

// Mean links of shortest paths on torus:5x4: a ring of 5 has 2 * (1 + 2) / 5 = 6/5, of 4 (1 + 2 +
// 1) / 4 = 1, their sum over 20 nodes, of which one is the sender itself: 20 / 19 times that.
TEST(PacketRouting, grid_paths_are_shortest) {
  for (const char* routing : {"dimension-order", "minimal-adaptive"}) {
    const auto found = find_channel_dependencies(fabric_of("torus:5x4"), {.routing = routing}, 20);
    EXPECT_NEAR(found.mean_links, 2.2 * 20 / 19, 1e-12) << routing;
  }
}

// Among n routers all linked to each other the one drawn is an end of the path twice, one link,
// else the path has two: 2 - 2 / n. 30 * 20 * 2^2 walks of variance below 1/4: 5 sigma are 0.06.
TEST(PacketRouting, valiant_paths_are_as_long_as_theory_says) {
  const auto complete =
      find_channel_dependencies(fabric_of("hosts(2, complete:5)"), {.routing = "valiant"}, 30);
  EXPECT_NEAR(complete.mean_links, 2 - 2. / 5, 0.06);
}

// On XGFT(3; 2,3,3; 1,2,2) the 15 routers of other hosts are 2 of the same second level subtree,
// two links away, and 6 in others, four links.
TEST(PacketRouting, up_down_paths_turn_at_the_lowest_level) {
  for (const char* routing : {"up-down-random", "up-down-adaptive"}) {
    const auto found =
        find_channel_dependencies(fabric_of("xgft:3;2,3,3;1,2,2"), {.routing = routing}, 20);
    EXPECT_DOUBLE_EQ(found.mean_links, (2 * 2 + 6 * 4) / 8.) << routing;
  }
}

// One packet of 500 bytes at 1 GB/s over L links of 100 ns, two of them to hosts.
TEST(PacketRouting, packets_alone_take_the_time_of_their_links) {
  struct Alone {
    const char *topology, *routing;
    int from, to, links;
  };
  for (const Alone& a : {Alone{"hosts(1, torus:8x8)", "dimension-order", 64, 64 + 3 + 8 * 5, 8},
                         Alone{"hosts(1, torus:8x8)", "minimal-adaptive", 64, 64 + 3 + 8 * 5, 8},
                         Alone{"hosts(1, mesh:8x8)", "minimal-adaptive", 64, 127, 16},
                         Alone{"xgft:3;4,4,4;1,4,4", "up-down-random", 0, 63, 6},
                         Alone{"xgft:3;4,4,4;1,4,4", "up-down-adaptive", 0, 63, 6},
                         Alone{"xgft:3;4,4,4;1,4,4", "up-down-adaptive", 0, 5, 4}}) {
    const auto engine = make_packet_engine(
        fabric_of(a.topology), {.routing = a.routing, .packet_B = 500, .router_delay_ps = 50'000});
    Burst burst(*engine, {{.from = NodeId(a.from), .to = NodeId(a.to), .bytes = 500}});
    engine->run();
    EXPECT_EQ(burst.delivered_at[0], a.links * 100'000 + (a.links - 1) * 50'000 + 500'000)
        << a.routing << " on " << a.topology;
  }
}

/// When the last of `bytes` from each host to its partner has come, in the time that a link takes
/// for them.
double permutation_time(const char* topology, const char* routing,
                        const std::function<std::int32_t(std::int32_t)>& partner) {
  const Fabric fabric = fabric_of(topology);
  const auto engine = make_packet_engine(fabric, {.routing = routing, .packet_B = 500});
  constexpr std::int64_t kBytes = 100'000;
  const auto hosts = fabric.topology().hosts();
  std::vector<PacketMessage> messages;
  for (std::int32_t h = 0; h < std::ssize(hosts); ++h)
    if (const std::int32_t to = partner(h); to != h)
      messages.push_back({.from = hosts[h], .to = hosts[to], .bytes = kBytes});
  Burst burst(*engine, messages);
  engine->run();
  return static_cast<double>(*std::ranges::max_element(burst.delivered_at)) / (kBytes * 1e3);
}

// Transposition on an 8 x 8 torus: in dimension order all of row y turn at column y, where 3 come
// from one side and 3 from the other, and the one from opposite by either, all of the message the
// same way: 4 on a link, and some more since packets for both columns wait in one buffer.
// Minimal paths have 4 links on average, of 64 senders on 256 links: 1 if they were all alike.
TEST(PacketRouting, minimal_adaptive_beats_dimension_order_on_a_transposition) {
  const auto transpose = [](std::int32_t h) { return h / 8 + h % 8 * 8; };
  const double in_order = permutation_time("torus:8x8", "dimension-order", transpose);
  EXPECT_GE(in_order, 4);
  EXPECT_LT(in_order, 4.5);
  EXPECT_LT(permutation_time("torus:8x8", "minimal-adaptive", transpose), 2);
}

// Of links around ring:16, the bytes on those that go up.
struct Around {
  double up = 0, down = 0;
};
Around bytes_around(const Fabric& fabric, const std::vector<PacketMessage>& messages) {
  const auto engine = make_packet_engine(fabric, {.routing = "dimension-order", .packet_B = 500});
  Burst burst(*engine, messages);
  engine->run();
  Around around;
  for (const LinkId link : fabric.topology().links()) {
    const int tail = fabric.topology().tail(link).value();
    const bool up = fabric.topology().head(link).value() == (tail + 1) % 16;
    (up ? around.up : around.down) += static_cast<double>(engine->link_bytes()[link.index()]);
  }
  return around;
}

// Half-way round a ring of 16 all packets of a message go the same way, over 8 links.
TEST(PacketRouting, a_message_half_way_round_a_ring_goes_one_way) {
  const Around around =
      bytes_around(fabric_of("ring:16"), {{.from = NodeId(3), .to = NodeId(11), .bytes = 32'000}});
  EXPECT_EQ(around.up + around.down, 8 * 32'000);
  EXPECT_EQ(around.up * around.down, 0);
}

// Of 800 messages half go either way: 400 and a standard deviation of sqrt(800) / 2 = 14; 4 of
// them.
TEST(PacketRouting, messages_half_way_round_a_ring_go_either_way) {
  std::vector<PacketMessage> messages;
  for (int i = 0; i < 800; ++i)
    messages.push_back({.from = NodeId(i % 16), .to = NodeId((i + 8) % 16), .bytes = 1'500});
  const Around around = bytes_around(fabric_of("ring:16"), messages);
  EXPECT_EQ(around.up + around.down, 800 * 8 * 1'500);
  EXPECT_NEAR(around.up / (8 * 1'500), 400, 4 * 14);
}

// Each packet draws: 64 messages of 40 packets half-way round a ring of 4 load both ways alike,
// with 1,280 of 2,560 packets, within 4 times sqrt(2560) / 2 = 25.3.
TEST(PacketRouting, shortest_split_draws_for_each_packet) {
  const Fabric fabric = fabric_of("ring:4");
  const auto engine = make_packet_engine(fabric, {.routing = "shortest-split", .packet_B = 500});
  Burst burst(*engine, std::vector<PacketMessage>(
                           64, {.from = NodeId(0), .to = NodeId(2), .bytes = 20'000}));
  engine->run();
  for (const LinkId link : fabric.topology().out_links(NodeId(0)))
    EXPECT_NEAR(static_cast<double>(engine->link_bytes()[link.index()]) / 500, 1'280, 4 * 25.3);
}

// On a full tree every permutation fits without conflict: queues find that, chance does not.
TEST(PacketRouting, up_down_adaptive_beats_random) {
  const auto far = [](std::int32_t h) { return (h + 16) % 64; };
  EXPECT_GT(permutation_time("xgft:3;4,4,4;1,4,4", "up-down-random", far), 1.2);
  EXPECT_NEAR(permutation_time("xgft:3;4,4,4;1,4,4", "up-down-adaptive", far), 1, 0.02);
}

TEST(PacketRouting, is_refused_where_it_does_not_fit) {
  const auto refusal = [](const char* topology, const char* routing) -> std::string {
    try {
      make_packet_engine(fabric_of(topology), {.routing = routing});
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("kautz:2,3", "dimension-order").find("needs a torus, mesh"), std::string::npos);
  EXPECT_NE(refusal("kautz:2,3", "minimal-adaptive").find("needs a torus, mesh"),
            std::string::npos);
  EXPECT_NE(refusal("torus:4x4", "up-down-random").find("needs an xgft"), std::string::npos);
  EXPECT_NE(refusal("torus:4x4", "par").find("needs a Dragonfly"), std::string::npos);
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

// 2^32 entries of 4 bytes are its limit, whatever the machine has.
TEST(PacketRouting, is_refused_where_its_table_is_too_large) {
  const Fabric fabric(build_topology("ring:70000"));
  PacketOptions options;
  options.routing = "shortest-table";
  try {
    make_packet_engine(fabric, options);
    ADD_FAILURE() << "accepted";
  } catch (const InvalidInput& error) {
    EXPECT_NE(
        std::string(error.what()).find("needs a table of 70000 x 70000 routers (at most 65536)"),
        std::string::npos)
        << error.what();
  }
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
