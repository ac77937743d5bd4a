// Packets by formula: alone in the network, under back-pressure, two flows on a link. To the
// picosecond; docs/explanation/packet.md has the formulas.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/burst.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

/// Terminal links of 1 GB/s and 100 ns, others of 2 GB/s and 300 ns.
Fabric chain() {
  LinkOptions links;
  topology::parse_link_option("2GBps,300ns", links);
  topology::parse_link_option("terminal=1GBps,100ns", links);
  return Fabric(build_topology("hosts(1, mesh:4)"), links);
}

PacketOptions delays(Switching switching) {
  return {.routing = "shortest-table",
          .packet_B = 500,
          .switching = switching,
          .router_delay_ps = 50'000,
          .adapter_delay_ps = 7'000};
}

// Hosts 4 and 7 of hosts(1, mesh:4) are four routers and five links apart. One packet of 500 bytes
// takes 500 ns on a terminal link and 250 ns on another.
TEST(PacketZeroLoad, cut_through_pays_the_slowest_link_once) {
  const auto engine = make_packet_engine(chain(), delays(Switching::cut_through));
  Burst burst(*engine, {{.from = NodeId(4), .to = NodeId(7), .bytes = 500}});
  engine->run();
  EXPECT_EQ(burst.injected_at[0], 7'000 + 500'000);
  EXPECT_EQ(burst.delivered_at[0], 2 * 7'000 + 2 * 100'000 + 3 * 300'000 + 4 * 50'000 + 500'000);
  EXPECT_EQ(engine->traffic(burst.id()).mean_hops, 4);
}

TEST(PacketZeroLoad, store_and_forward_pays_every_link) {
  const auto engine = make_packet_engine(chain(), delays(Switching::store_and_forward));
  Burst burst(*engine, {{.from = NodeId(4), .to = NodeId(7), .bytes = 500}});
  engine->run();
  EXPECT_EQ(burst.delivered_at[0],
            2 * 7'000 + 2 * 100'000 + 3 * 300'000 + 4 * 50'000 + 2 * 500'000 + 3 * 250'000);
}

// Packets follow each other on the terminal link, 500 ns apart; the last one is short: 200 ns.
TEST(PacketZeroLoad, packets_of_a_message_are_a_pipeline) {
  const auto engine = make_packet_engine(chain(), delays(Switching::cut_through));
  Burst burst(*engine, {{.from = NodeId(4), .to = NodeId(7), .bytes = 2'200}});
  engine->run();
  EXPECT_EQ(burst.injected_at[0], 7'000 + 2'200'000);
  EXPECT_EQ(burst.delivered_at[0], 2 * 7'000 + 2 * 100'000 + 3 * 300'000 + 4 * 50'000 + 2'200'000);
  EXPECT_EQ(engine->traffic(burst.id()).packets, 5);
}

// The answer of 64 bytes takes the same way back: 64 ns on its terminal links.
TEST(PacketZeroLoad, acknowledgement_is_a_message_back) {
  const auto engine = make_packet_engine(chain(), delays(Switching::cut_through));
  Burst burst(*engine, {{.from = NodeId(4), .to = NodeId(7), .bytes = 500, .acknowledge = true}});
  engine->run();
  const Time path = 2 * 7'000 + 2 * 100'000 + 3 * 300'000 + 4 * 50'000;
  EXPECT_EQ(burst.delivered_at[0], path + 500'000);
  EXPECT_EQ(burst.acknowledged_at[0], 2 * path + 564'000);
  EXPECT_EQ(engine->traffic(burst.id()).acknowledgements, 1);
  EXPECT_EQ(engine->traffic(burst.id()).packets, 1);
}

// Seven flits of 64 bytes and one of 52 follow each other at 64 ns.
TEST(PacketZeroLoad, flits_are_a_pipeline_of_their_own) {
  for (const Switching switching : {Switching::wormhole, Switching::cut_through}) {
    PacketOptions options = delays(switching);
    options.granularity = Granularity::flit;
    const auto engine = make_packet_engine(chain(), options);
    Burst burst(*engine, {{.from = NodeId(4), .to = NodeId(7), .bytes = 1'000}});
    engine->run();
    EXPECT_EQ(burst.delivered_at[0],
              2 * 7'000 + 2 * 100'000 + 3 * 300'000 + 4 * 50'000 + 1'000'000);
    EXPECT_EQ(burst.traffic().packets, 2);
    EXPECT_EQ(burst.traffic().mean_hops, 4);
    EXPECT_EQ(engine->statistics().packet_hops, 16 * 5);
  }
}

Fabric star(int hosts) {
  LinkOptions links;
  topology::parse_link_option("1GBps,100ns", links);
  return Fabric(build_topology(fmt::format("xgft:1;{};1", hosts)), links);
}

// A buffer of one packet: the next one leaves when the credit of the last is back, after it came in
// (500 + 100 ns), passed the router (50 ns) and the credit took 30 ns.
TEST(PacketCredits, a_buffer_of_one_packet_stops_and_goes) {
  PacketOptions options{.routing = "shortest-table",
                        .packet_B = 500,
                        .router_delay_ps = 50'000,
                        .credit_delay_ps = 30'000};
  options.buffers.all = 500;
  const auto engine = make_packet_engine(star(2), options);
  Burst burst(*engine, {{.from = NodeId(0), .to = NodeId(1), .bytes = 2'500}});
  engine->run();
  EXPECT_EQ(burst.delivered_at[0], 4 * 680'000 + 2 * 100'000 + 50'000 + 500'000);
  EXPECT_EQ(engine->statistics().max_buffered_B[0], 500);
}

// The same with flits of 100 bytes, wormhole: each waits for the credit of the last, 280 ns.
TEST(PacketCredits, a_buffer_of_one_flit_stops_and_goes) {
  PacketOptions options{.routing = "shortest-table",
                        .granularity = Granularity::flit,
                        .packet_B = 500,
                        .flit_B = 100,
                        .switching = Switching::wormhole,
                        .router_delay_ps = 50'000,
                        .credit_delay_ps = 30'000};
  options.buffers.all = 100;
  const auto engine = make_packet_engine(star(2), options);
  Burst burst(*engine, {{.from = NodeId(0), .to = NodeId(1), .bytes = 500}});
  engine->run();
  EXPECT_EQ(burst.delivered_at[0], 4 * 280'000 + 2 * 100'000 + 50'000 + 100'000);
}

// Without a buffer given, a link that is asked for all the time is busy all the time.
TEST(PacketCredits, automatic_buffers_keep_links_busy) {
  const auto engine = make_packet_engine(star(2), {.routing = "shortest-table",
                                                   .packet_B = 500,
                                                   .router_delay_ps = 50'000,
                                                   .credit_delay_ps = 3'000'000});
  Burst burst(*engine, {{.from = NodeId(0), .to = NodeId(1), .bytes = 500'000}});
  engine->run();
  EXPECT_EQ(burst.delivered_at[0], 500'000'000 + 2 * 100'000 + 50'000);
}

// Two hosts send 10 packets each to a third: its link takes 20 * 500 ns, shared packet by packet,
// with room for all or for one packet at a time.
TEST(PacketSharing, two_flows_share_a_link_equally) {
  for (const Arbitration arbitration :
       {Arbitration::first_come, Arbitration::round_robin, Arbitration::age})
    for (const std::int64_t buffer_B : {500, 5'000}) {
      PacketOptions options{.routing = "shortest-table",
                            .packet_B = 500,
                            .arbitration = arbitration,
                            .credit_delay_ps = 0};
      options.buffers.all = buffer_B;
      const auto engine = make_packet_engine(star(3), options);
      Burst burst(*engine, {{.from = NodeId(0), .to = NodeId(2), .bytes = 5'000},
                            {.from = NodeId(1), .to = NodeId(2), .bytes = 5'000}});
      engine->run();
      const Time period = buffer_B == 500 ? 600'000 : 500'000;  // one packet: latency between
      EXPECT_EQ(burst.delivered_at[0], 700'000 + 18 * period);
      EXPECT_EQ(burst.delivered_at[1], 700'000 + 19 * period);
    }
}

// Messages in a lane leave one after the other; without, packet by packet in turn.
TEST(PacketSharing, messages_in_a_lane_leave_in_order) {
  for (const std::int32_t lane : {-1, 0}) {
    const auto engine = make_packet_engine(star(3), {.routing = "shortest-table", .packet_B = 500});
    Burst burst(*engine, {{.from = NodeId(0), .to = NodeId(1), .bytes = 5'000, .lane = lane},
                          {.from = NodeId(0), .to = NodeId(2), .bytes = 5'000, .lane = lane}});
    engine->run();
    EXPECT_EQ(burst.injected_at[0], lane < 0 ? 9'500'000 : 5'000'000);
    EXPECT_EQ(burst.injected_at[1], 10'000'000);
  }
}

// Binomial broadcast on a star: every message has its links for itself, log2(16) steps.
TEST(PacketProgram, broadcasts_in_a_tree) {
  const Network network(star(16), topology::place(star(16).topology(), {}), {},
                        make_routing("shortest", star(16)));
  const Schedule schedule =
      algorithm::build_schedule("binomial", schedule::broadcast(16), &network, {});
  const Program program = lower(schedule::verify_own(schedule), {.size_B = 2'000});
  for (const Model model : {Model::packet, Model::flit})
    for (const char* routing : {"", "shortest-table"}) {
      const SimulationResult result = simulate(
          program, network, {.model = model, .packet = {.routing = routing, .packet_B = 500}});
      EXPECT_NEAR(result.time_s, 4 * (2e-6 + 2 * 1e-7), 1e-15);
      EXPECT_EQ(result.packet->traffic.packets, 15 * 4);
      EXPECT_EQ(result.packet->traffic.classes[0].messages, 15 * 2);
    }
}

TEST(PacketOptions, are_refused_in_one_line) {
  const auto refusal = [](const PacketOptions& options) -> std::string {
    try {
      make_packet_engine(chain(), options);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  PacketOptions small{.routing = "shortest-table", .packet_B = 4096};
  small.buffers.by_class["terminal"] = 1024;
  EXPECT_NE(refusal(small).find("is too small: a packet has 4KiB, which must fit whole under"),
            std::string::npos);
  EXPECT_NE(refusal({.routing = "shortest-table", .vcs = 2}).find("give 3 or more"),
            std::string::npos);
  EXPECT_NE(refusal({.routing = "minimal"}).find("needs a Dragonfly"), std::string::npos);
  EXPECT_NE(refusal({.routing = "shortst-table"}).find("did you mean shortest-table"),
            std::string::npos);
  EXPECT_NE(refusal({.switching = Switching::wormhole})
                .find("switching needs granularity flit; choose another"),
            std::string::npos);
  EXPECT_NE(refusal({.packet_B = 0}).find("out of range"), std::string::npos);
  PacketOptions unknown;
  unknown.buffers.by_class["globl"] = 1024;
  EXPECT_NE(refusal(unknown).find("unknown link class 'globl' of "), std::string::npos);
}

}  // namespace
}  // namespace weft::simulation
