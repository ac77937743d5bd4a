// Messages on input-queued routers, by formula: alone, in streams, over slow links, into one host.
// Cycles of the flit on the fastest link; src/weft/simulation/packet/input_queued/input_queued.hpp
// has the formulas.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/burst.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

/// Links of 1 GB/s: a flit of 50 bytes takes a cycle of 50 ns.
constexpr Time kCycle = 50'000;

Fabric fabric_of(const char* topology, const char* links = "1GBps,150ns") {
  LinkOptions options;
  topology::parse_link_option(links, options);
  return Fabric(build_topology(topology), options);
}

PacketOptions routers() {
  return {.routing = "shortest-table",
          .granularity = Granularity::flit,
          .router = RouterKind::input_queued,
          .packet_B = 400,
          .flit_B = 50,
          .switching = Switching::wormhole};
}

Time packet_time(const Fabric& fabric, const PacketOptions& options, std::int64_t bytes,
                 std::int32_t from, std::int32_t to) {
  const auto engine = make_packet_engine(fabric, options);
  Burst burst(*engine, {{.from = NodeId(from), .to = NodeId(to), .bytes = bytes}});
  engine->run();
  return burst.delivered_at[0];
}

// A router takes three cycles, a link three; hosts 4 and 7 are four routers and five links apart.
TEST(InputQueued, a_lone_packet_takes_the_pipelines_and_the_wires) {
  const Fabric fabric = fabric_of("hosts(1, mesh:4)");
  EXPECT_EQ(packet_time(fabric, routers(), 50, 4, 7), (4 * 3 + 5 * 3 + 1) * kCycle);
  EXPECT_EQ(packet_time(fabric, routers(), 400, 4, 7), (4 * 3 + 5 * 3 + 8) * kCycle);
}

TEST(InputQueued, delays_of_routers_and_adapters_come_on_top) {
  const Fabric fabric = fabric_of("hosts(1, mesh:4)");
  PacketOptions options = routers();
  options.router_delay_ps = 2 * kCycle;  // less than the pipeline, which hides it
  EXPECT_EQ(packet_time(fabric, options, 400, 4, 7), (4 * 3 + 5 * 3 + 8) * kCycle);
  options.router_delay_ps = 7 * kCycle;
  options.adapter_delay_ps = 11 * kCycle;
  EXPECT_EQ(packet_time(fabric, options, 400, 4, 7), (4 * 7 + 5 * 3 + 8 + 2 * 11) * kCycle);
}

// A router's delay is a pipeline: packets follow each other into it.
TEST(InputQueued, delays_of_routers_do_not_hold_up_a_stream) {
  PacketOptions options = routers();
  options.router_delay_ps = 40 * kCycle;
  const Fabric fabric = fabric_of("hosts(1, mesh:4)");
  EXPECT_EQ(packet_time(fabric, options, 8'000 * 50, 4, 7), (4 * 40 + 5 * 3 + 8'000) * kCycle);
}

// Hosts inside of their routers have no wire; a packet enters four routers on three links.
TEST(InputQueued, hosts_may_be_routers_themselves) {
  const Fabric fabric = fabric_of("mesh:4");
  EXPECT_EQ(packet_time(fabric, routers(), 400, 0, 3), (4 * 3 + 3 * 3 + 8) * kCycle);
}

// Packets of a message follow each other without a gap, whatever the switching and the routing.
TEST(InputQueued, a_stream_keeps_the_link_busy) {
  for (const Switching switching : {Switching::wormhole, Switching::cut_through})
    for (const char* routing : {"shortest-table", "minimal-adaptive", "dimension-order"}) {
      SCOPED_TRACE(fmt::format("{} {}", routing, name_of(switching)));
      PacketOptions options = routers();
      options.switching = switching;
      options.routing = routing;
      const Fabric fabric = fabric_of("mesh:4");
      const std::int64_t flits = 8'000;
      EXPECT_EQ(packet_time(fabric, options, flits * 50, 0, 3), (4 * 3 + 3 * 3 + flits) * kCycle);
    }
}

// The last flit of a packet takes a whole cycle, however short.
TEST(InputQueued, packets_are_of_whole_flits) {
  const Fabric fabric = fabric_of("mesh:2");
  EXPECT_EQ(packet_time(fabric, routers(), 401, 0, 1), (2 * 3 + 3 + 9) * kCycle);
}

// Cables of hosts are 2.5 times as slow as the link between the switches: a flit takes 125 ns there
// and 50 ns, a cycle, on the link.
TEST(InputQueued, a_slow_link_sends_at_its_own_speed) {
  LinkOptions links;
  topology::parse_link_option("1GBps,150ns", links);
  topology::parse_link_option("terminal=400MBps,150ns", links);
  const Fabric fabric(build_topology("hosts(1, mesh:2)"), links);
  const std::int64_t flits = 4'000;
  const auto cycles =
      static_cast<double>(packet_time(fabric, routers(), flits * 50, 2, 3)) / kCycle;
  EXPECT_GE(cycles, 2.5 * flits);
  EXPECT_LE(cycles, 2.5 * flits + 2 * 3 + 3 * 3 + 2 * 2.5);
}

// All hosts of a switch send to the next one at once: no two packets want the same port.
TEST(InputQueued, a_permutation_crosses_a_switch_undisturbed) {
  const Fabric fabric = fabric_of("xgft:1;8;1");
  const auto engine = make_packet_engine(fabric, routers());
  std::vector<PacketMessage> messages;
  const auto hosts = fabric.topology().hosts();
  for (std::size_t h = 0; h < hosts.size(); ++h)
    messages.push_back({.from = hosts[h], .to = hosts[(h + 1) % hosts.size()], .bytes = 4'000});
  Burst burst(*engine, messages);
  engine->run();
  for (const Time time : burst.delivered_at) EXPECT_EQ(time, (3 + 2 * 3 + 80) * kCycle);
}

// Seven hosts send to one: its cable is busy from the first flit to the last.
TEST(InputQueued, an_incast_fills_the_cable_of_its_target) {
  const Fabric fabric = fabric_of("xgft:1;8;1");
  const auto engine = make_packet_engine(fabric, routers());
  const auto hosts = fabric.topology().hosts();
  std::vector<PacketMessage> messages;
  for (std::size_t h = 1; h < hosts.size(); ++h)
    messages.push_back({.from = hosts[h], .to = hosts[0], .bytes = 4'000});
  Burst burst(*engine, messages);
  engine->run();
  EXPECT_EQ(std::ranges::max(burst.delivered_at), (3 + 2 * 3 + 7 * 80) * kCycle);
}

// Karol, Hluchyj and Morgan (IEEE Trans. Comm. 35(12), 1987): what waits behind the front of a
// queue costs a switch; output-buffered routers know nothing of it. Two hosts send to one, and one
// of them then to a host that is idle all the while, on a single channel.
TEST(InputQueued, what_waits_at_the_front_holds_up_what_is_behind) {
  const Fabric fabric = fabric_of("xgft:1;4;1");
  const auto hosts = fabric.topology().hosts();
  const std::vector<PacketMessage> messages{{.from = hosts[0], .to = hosts[2], .bytes = 40'000},
                                            {.from = hosts[1], .to = hosts[2], .bytes = 40'000},
                                            {.from = hosts[1], .to = hosts[3], .bytes = 400}};
  PacketOptions options = routers();
  options.vcs = 1;
  const auto time_of_last = [&](const PacketOptions& with) {
    const auto engine = make_packet_engine(fabric, with);
    Burst burst(*engine, messages);
    engine->run();
    return burst.delivered_at[2];
  };
  PacketOptions output_buffered = options;
  output_buffered.router = RouterKind::output_buffered;
  output_buffered.buffers.all = 1 << 20;
  EXPECT_GT(time_of_last(options), time_of_last(output_buffered));
}

SimulationOptions by_flits(RouterKind router) {
  SimulationOptions options;
  options.model = Model::flit;
  options.link_statistics = true;
  options.packet = routers();
  options.packet.routing = "";
  options.packet.router = router;
  return options;
}

Program allgather_on(const Network& network, const char* algorithm, std::int64_t size_B) {
  const Collective collective = schedule::allgather(network.placement().ranks());
  const auto schedule = algorithm::build_schedule(algorithm, collective, &network);
  return lower(schedule::verify_own(schedule, &network.topology()), {.size_B = size_B});
}

// Where ways are fixed both kinds of router carry the same bytes over each link.
TEST(InputQueued, collectives_take_the_same_links_on_either_router) {
  for (const char* name : {"torus:4x4", "hosts(2, ring:4)", "2dfc:3x3", "kautz:2,3"})
    for (const char* algorithm : {"ring", "bruck"}) {
      SCOPED_TRACE(fmt::format("{} {}", name, algorithm));
      const Network network = test::on(name);
      const Program program = allgather_on(network, algorithm, 16 << 10);
      const SimulationResult output =
          simulate(program, network, by_flits(RouterKind::output_buffered));
      const SimulationResult input = simulate(program, network, by_flits(RouterKind::input_queued));
      EXPECT_EQ(input.link_bytes, output.link_bytes);
      EXPECT_EQ(input.messages, output.messages);
    }
}

// Seven steps round a ring, in each of which a host sends 160 flits to the next: two routers of
// three cycles and a link of three.
TEST(InputQueued, a_ring_takes_its_steps_one_after_the_other) {
  const Fabric fabric = fabric_of("ring:8");
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        make_routing("shortest", fabric));
  const Program program = allgather_on(network, "ring", 8'000);
  const SimulationResult result = simulate(program, network, by_flits(RouterKind::input_queued));
  EXPECT_NEAR(result.time_s, 7 * (2 * 3 + 3 + 160) * kCycle * 1e-12, 1e-15);
}

// A route of two links climbs two classes, on a network where shortest paths need one.
TEST(InputQueued, routes_of_schedules_get_the_channels_that_they_need) {
  const Network network = test::on("complete:8");
  const Collective collective = schedule::point_to_point(8, Rank(0), Rank(1));
  const auto schedule = algorithm::build_schedule("multipath", collective, &network);
  const Program program =
      lower(schedule::verify_own(schedule, &network.topology()), {.size_B = 64 << 10});
  const SimulationResult output = simulate(program, network, by_flits(RouterKind::output_buffered));
  const SimulationResult input = simulate(program, network, by_flits(RouterKind::input_queued));
  EXPECT_EQ(input.link_bytes, output.link_bytes);
}

// Under cut-through switching a short packet needs room for itself, not for the longest.
TEST(InputQueued, short_packets_ask_for_little_room) {
  const Fabric fabric = fabric_of("mesh:2");
  PacketOptions options = routers();
  options.switching = Switching::cut_through;
  options.vcs = 1;
  options.buffers.all = 400;
  const auto engine = make_packet_engine(fabric, options);
  // The second packet's flit follows the first's into the same channel.
  Burst burst(*engine, {{.from = NodeId(0), .to = NodeId(1), .bytes = 50, .tag = 1},
                        {.from = NodeId(0), .to = NodeId(1), .bytes = 50, .tag = 2}});
  engine->run();
  EXPECT_LE(burst.delivered_at[1] - burst.delivered_at[0], 4 * kCycle);
}

TEST(InputQueued, refuses_what_such_routers_do_not_have) {
  const Fabric fabric = fabric_of("mesh:4");
  PacketOptions options = routers();
  options.granularity = Granularity::packet;
  options.switching = Switching::cut_through;
  EXPECT_THROW(make_packet_engine(fabric, options), InvalidInput);
  options = routers();
  options.arbitration = Arbitration::age;
  EXPECT_THROW(make_packet_engine(fabric, options), InvalidInput);
  options = routers();
  options.vcs = 65;
  EXPECT_THROW(make_packet_engine(fabric, options), InvalidInput);
  EXPECT_THROW(make_packet_engine(fabric_of("xgft:1;65;1"), routers()), InvalidInput);
}

}  // namespace
}  // namespace weft::simulation
