// Simulated times against formulas.
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/exchange/pairwise.hpp"
#include "weft/algorithm/rings/ring.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr LinkSpeed kSpeed{.bandwidth_Bps = 10'000'000'000, .latency_ps = 500'000};
constexpr double kBandwidth = 1e10, kLatency = 5e-7;

Network network(const char* topology, HostParameters host = {}, const char* routing = "shortest") {
  const Fabric fabric(make_topology(topology), kSpeed);
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing(routing, fabric)};
}

// 2(N-1) steps, each alpha + L + M / (N B).
TEST(Fluid, times_ring_allreduce) {
  const Program program =
      lower(schedule::verify_own(algorithm::ring_allreduce(16)), {.size_B = 16 << 20});
  const Network ring = network("ring:16", {.startup_ps = 2'000'000});
  const double expected = 2 * 15 * (2e-6 + kLatency + (1 << 20) / kBandwidth);
  for (const Sync sync : {Sync::lockstep, Sync::per_rank})
    for (const Release release : {Release::injected, Release::delivered})
      EXPECT_NEAR(simulate(program, ring, {.sync = sync, .release = release}).time_s, expected,
                  1e-9 * expected);
  const SimulationResult formula = simulate(program, ring, {.model = Model::alpha_beta});
  EXPECT_NEAR(formula.time_s, expected, 1e-12 * expected);
  EXPECT_EQ(formula.messages, 16 * 30);
  EXPECT_NEAR(formula.bus_bandwidth_Bps, (16 << 20) / expected * 2 * 15 / 16, 1);
}

// An acknowledgement keeps the port for one latency more: each step costs 2 L.
TEST(Fluid, waits_for_acknowledgements) {
  const Program program =
      lower(schedule::verify_own(algorithm::ring_allgather(8)), {.size_B = 1000});
  const double expected = 7 * (2 * kLatency + 1000 / kBandwidth);
  EXPECT_NEAR(simulate(program, network("ring:8"), {.release = Release::acknowledged}).time_s,
              expected, 1e-9 * expected);
}

// Host links: 7 messages leave each host at once and share its link; two hops of latency.
TEST(Fluid, shares_the_hosts_link_in_spread_alltoall) {
  const Program program =
      lower(schedule::verify_own(algorithm::spread_alltoall(8)), {.size_B = 1 << 20});
  const double expected = 2 * kLatency + 7 * (1 << 20) / kBandwidth;
  const Network star = network("xgft:1;8;1");
  EXPECT_NEAR(simulate(program, star).time_s, expected, 1e-9 * expected);
  EXPECT_NEAR(simulate(program, star, {.sharing = Sharing::rtt}).time_s, expected, 1e-9 * expected);
}

// Messages below the limit are copied while the link is free for others: the copies of seven
// messages take the time of one.
TEST(Fluid, copies_eager_messages_beside_the_links) {
  const Network star =
      network("xgft:1;8;1", {.eager_copies = {.below_B = 4096, .bandwidth_Bps = 2'000'000'000}});
  const auto time_of = [&](std::int64_t size_B, SimulationOptions options = {}) {
    const Program program =
        lower(schedule::verify_own(algorithm::spread_alltoall(8)), {.size_B = size_B});
    return simulate(program, star, options).time_s;
  };
  for (const Model model : {Model::fluid, Model::alpha_beta}) {
    EXPECT_NEAR(time_of(4095, {.model = model}), 2 * kLatency + 7 * 4095 / kBandwidth + 4095 / 2e9,
                1e-12);
    EXPECT_NEAR(time_of(4096, {.model = model}), 2 * kLatency + 7 * 4096 / kBandwidth, 1e-12);
  }
}

// Eight GPUs behind a switch: an eighth to each of seven others, and back to all; a start-up in
// turn for each message.
TEST(Fluid, takes_two_steps_for_an_allreduce_behind_a_switch) {
  for (const std::int64_t startup_ps : {0, 300'000}) {
    const Network star = network("xgft:1;8;1", {.startup_ps = startup_ps});
    for (const std::int64_t size_B : {std::int64_t{1} << 12, std::int64_t{1} << 26}) {
      const Program program = lower(schedule::verify_own(algorithm::build_schedule(
                                        "spread", schedule::allreduce(8), &star, {})),
                                    {.size_B = size_B});
      const double part_s = static_cast<double>(size_B) / 8 / kBandwidth;
      const double startup_s = static_cast<double>(startup_ps) * 1e-12;
      // Whichever lasts longer, to begin all or to carry all.
      const double step_s = 2 * kLatency + std::max(7 * startup_s + part_s, startup_s + 7 * part_s);
      EXPECT_NEAR(simulate(program, star).time_s, 2 * step_s, 1e-9 * step_s);
    }
  }
}

// One port at a time: the same bytes, but seven latencies and start-ups one after the other.
TEST(Fluid, sends_one_message_at_a_time_with_one_port) {
  const Program program =
      lower(schedule::verify_own(algorithm::spread_alltoall(8)), {.size_B = 1 << 20});
  const Network star = network("xgft:1;8;1", {.startup_ps = 1'000'000, .ports = 1});
  const double each = 1e-6 + 2 * kLatency + (1 << 20) / kBandwidth;
  // Everyone's first message goes to rank 0 (rank 0's to rank 1): its link is shared.
  EXPECT_GE(simulate(program, star).time_s, 7 * each * (1 - 1e-9));
  EXPECT_NEAR(simulate(program, star, {.model = Model::alpha_beta}).time_s,
              7e-6 + 2 * kLatency + 7 * (1 << 20) / kBandwidth, 1e-12);
}

// Each link of the one-way ring carries three blocks.
TEST(Fluid, counts_the_bytes_of_links) {
  const Program program =
      lower(schedule::verify_own(algorithm::ring_allgather(4)), {.size_B = 1000});
  const Network ring = network("uniring:4");
  const SimulationResult result = simulate(program, ring, {.link_statistics = true});
  for (const LinkId link : ring.topology().links()) {
    EXPECT_DOUBLE_EQ(result.link_bytes[link.index()], 3000);
    EXPECT_NEAR(result.utilisation(link, ring), 3000 / (kBandwidth * result.time_s), 1e-12);
  }
}

// Without start-up and latency the formula is T_B * M / B, with the exact T_B.
TEST(AlphaBeta, is_the_exact_cost_without_latency) {
  for (const char* name :
       {"torus:4x4", "random-regular:12,3,seed=4", "dragonfly:a=4,p=2,h=2,g=3"}) {
    const Fabric fabric(make_topology(name), {.bandwidth_Bps = 1'000'000'000, .latency_ps = 0});
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          make_routing("shortest", fabric));
    const auto verified = schedule::verify_own(algorithm::shift_alltoall(network.ranks()));
    const double m_B = 4096.0 * network.ranks();
    const double expected = cost(verified, network).bandwidth_factor.to_double() * m_B /
                            static_cast<double>(fabric.node_egress_Bps());
    const Program program = lower(verified, {.size_B = 4096});
    EXPECT_NEAR(simulate(program, network, {.model = Model::alpha_beta}).time_s, expected,
                1e-9 * expected);
  }
}

TEST(Fluid, needs_enough_ranks) {
  const Program program = lower(schedule::verify_own(algorithm::ring_allgather(8)), {.size_B = 8});
  EXPECT_THROW(simulate(program, network("ring:4")), InvalidInput);
}

void expect_messages(const Program& program, const Network& on, std::int64_t messages, int calls) {
  for (const Sync sync : {Sync::lockstep, Sync::per_rank, Sync::dataflow})
    for (const Model model : {Model::alpha_beta, Model::fluid, Model::packet, Model::flit})
      if (calls == 1 || sync != Sync::dataflow || model == Model::alpha_beta) {
        SimulationOptions options{.model = model, .sync = sync};
        if (model == Model::flit) options.packet.switching = Switching::wormhole;
        EXPECT_EQ(simulate(repeat(program, calls), on, options).messages, calls * messages)
            << name_of(model) << ' ' << name_of(sync) << ", " << program.size_B() << " B, " << calls
            << " calls";
      }
}

// A ring of n ranks sends each of its n blocks 2 (n - 1) times. Of a buffer of few bytes some
// blocks have none, and these are not sent.
TEST(Messages, are_those_that_have_bytes) {
  const Network ring = network("ring:8");
  const Verified verified =
      schedule::verify_own(algorithm::build_schedule("ring", schedule::allreduce(8), &ring));
  for (const int calls : {1, 3})
    for (const std::int64_t size_B : {0, 1, 3, 7, 8, 9, 100, 256, 1000})
      expect_messages(lower(verified, {.size_B = size_B}), ring,
                      2 * 7 * std::min<std::int64_t>(size_B, 8), calls);
}

// A chain of n ranks sends each of s segments n - 1 times.
TEST(Messages, of_segments_are_those_that_have_bytes) {
  const Network ring = network("ring:8");
  const Verified verified = schedule::verify_own(algorithm::build_schedule(
      "chain", schedule::broadcast(8), &ring, {.values = {{"segments", 4}}}));
  for (const int calls : {1, 2})
    for (const std::int64_t size_B : {0, 1, 3, 4, 5, 127, 128, 129})
      expect_messages(lower(verified, {.size_B = size_B}), ring,
                      7 * std::min<std::int64_t>(size_B, 4), calls);
}

}  // namespace
}  // namespace weft::simulation
