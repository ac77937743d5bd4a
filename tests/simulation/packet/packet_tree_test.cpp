// Packets on fat trees: messages to oneself, which keep the optimal all-to-all in step, and one
// channel for paths up and down.
#include <gtest/gtest.h>

#include <array>

#include "support/burst.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr std::int64_t kMessage_B = 4096, kFlit_B = 64;

/// 10 Gb/s and 100 ns.
Network tree(const std::string& topology, const std::string& routing) {
  const Fabric fabric(make_topology(topology),
                      {.bandwidth_Bps = 1'250'000'000, .latency_ps = 100'000});
  return {
      fabric, topology::place(fabric.topology(), {}), {}, network::make_routing(routing, fabric)};
}

/// Flits of 64 bytes, switches of 50 ns, adapters of 500 ns; a message ends with its answer.
SimulationOptions flits(SelfMessages self_messages) {
  SimulationOptions options{.model = Model::flit, .release = Release::acknowledged};
  options.packet.packet_B = options.packet.flit_B = kFlit_B;
  options.packet.switching = Switching::wormhole;
  options.packet.buffers.all = 4096;
  options.packet.router_delay_ps = 50'000;
  options.packet.adapter_delay_ps = 500'000;
  options.packet.self_messages = self_messages;
  return options;
}

double alltoall_s(const Network& network, const std::string& algorithm,
                  const SimulationOptions& options) {
  const Program program = lower(
      schedule::verify_own(
          build_schedule(algorithm, {.kind = CollectiveKind::alltoall, .ranks = network.ranks()},
                         &network),
          &network.topology()),
      {.size_B = kMessage_B});
  return simulate(program, network, options).time_s;
}

/// A message over `level` links up and as many down, and its answer of one flit.
double message_s(int level) {
  const double path_s = 2 * 500e-9 + (2 * level - 1) * 50e-9 + 2 * level * 100e-9;
  return 2 * path_s + static_cast<double>(kMessage_B + kFlit_B) / 1.25e9;
}

// Two adapters, two links, one switch, and the same way back.
TEST(SelfMessages, go_to_the_switch_and_back) {
  const Network network = tree("xgft:1;2;1", "d-mod-k");
  const auto engine = make_packet_engine(
      network.fabric(), {.packet_B = 4096, .router_delay_ps = 50'000, .adapter_delay_ps = 500'000});
  const Topology& topology = network.topology();
  const std::array<LinkId, 2> path{*topology.out_links(NodeId(0)).begin(),
                                   topology.in_links(NodeId(0)).front()};
  Burst burst(*engine, {{.from = NodeId(0),
                         .to = NodeId(0),
                         .bytes = kMessage_B,
                         .acknowledge = true,
                         .path = path}});
  engine->run();
  EXPECT_DOUBLE_EQ(static_cast<double>(burst.acknowledged_at[0]) * 1e-12, message_s(1));
  EXPECT_EQ(burst.traffic().mean_hops, 1);
}

// Phase 0 of the linear exchange is to oneself, phase 1 to the other.
TEST(SelfMessages, take_a_phase_like_any_other) {
  const Network network = tree("xgft:1;2;1", "d-mod-k");
  EXPECT_NEAR(alltoall_s(network, "lin", flits(SelfMessages::local)), message_s(1), 1e-12);
  EXPECT_NEAR(alltoall_s(network, "lin", flits(SelfMessages::network)), 2 * message_s(1), 1e-12);
}

TEST(SelfMessages, need_a_switch_to_turn_at) {
  EXPECT_THROW(alltoall_s(tree("torus:3x3", "shortest"), "shift", flits(SelfMessages::network)),
               InvalidInput);
}

// Without a slot for them ranks with a message to themselves run ahead, into the phases of others.
// Ideal: 7, 24 and 32 messages of levels 1, 2 and 3 (Prisacari et al., section 5.1).
TEST(SelfMessages, keep_the_optimal_exchange_in_step) {
  const Network network = tree("xgft:3;8,4,2;1,8,2", "pattern-aware");
  const double ideal_s = 7 * message_s(1) + 24 * message_s(2) + 32 * message_s(3);
  EXPECT_LT(alltoall_s(network, "opt", flits(SelfMessages::network)), 1.1 * ideal_s);
  EXPECT_GT(alltoall_s(network, "opt", flits(SelfMessages::local)), 1.1 * ideal_s);
}

// Wormholes of a flit's buffer on one channel.
TEST(TreePaths, are_free_of_deadlock_on_one_channel) {
  for (const char* routing : {"d-mod-k", "s-mod-k", "shortest-random", "pattern-aware"}) {
    SimulationOptions options = flits(SelfMessages::network);
    options.packet.packet_B = 1024;
    options.packet.buffers.all = kFlit_B;
    options.packet.vcs = 1;
    EXPECT_GT(alltoall_s(tree("xgft:3;3,2,2;1,2,1", routing), "lin", options), 0) << routing;
  }
}

}  // namespace
}  // namespace weft::simulation
