// Start-ups of messages: who pays them, when, and in which order; times derived by hand.
#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

// Times in microseconds: links of 1 B/us and 10 us; alpha is 5 us.
constexpr LinkSpeed kSpeed{.bandwidth_Bps = 1'000'000, .latency_ps = 10'000'000};
constexpr std::int64_t kAlpha_ps = 5'000'000;

Network network(const char* topology, HostParameters host, std::vector<int> nodes = {}) {
  const Fabric fabric(make_topology(topology), kSpeed);
  Placement placement = topology::place(fabric.topology(), {});
  if (!nodes.empty()) placement.nodes.clear();
  for (const int node : nodes) placement.nodes.emplace_back(node);
  return {fabric, placement, host, make_routing("shortest", fabric)};
}

Program program(ScheduleBuilder builder, std::int64_t size_B) {
  return lower(schedule::verify_own(std::move(builder).build()), {.size_B = size_B});
}

double time_us(const Program& p, const Network& on, const SimulationOptions& options = {}) {
  return simulate(p, on, options).time_s * 1e6;
}

Program scatter_of_three(std::int64_t size_B) {
  ScheduleBuilder builder(schedule::scatter(4));
  for (std::int32_t to = 1; to < 4; ++to)
    builder.at(0).send(Agent(0), Agent(to), builder.block(to));
  return program(std::move(builder), size_B);
}

Program gather_of_three(std::int64_t size_B) {
  ScheduleBuilder builder(schedule::gather(4));
  for (std::int32_t from = 1; from < 4; ++from)
    builder.at(0).send(Agent(from), Agent(0), builder.block(from));
  return program(std::move(builder), size_B);
}

// Where messages may be eager.
std::int64_t eager_of(Sync sync) {
  return sync == Sync::dataflow ? 0 : 1'000;
}

constexpr Sync kSyncs[] = {Sync::lockstep, Sync::per_rank, Sync::dataflow};

// The messages are started at 5, 10 and 15, and 20 later have the root's link to themselves: 1 B
// each. Together, all would be there at 25, and share the link for 3.
TEST(Startups, follow_each_other_with_all_ports_open) {
  const Program p = scatter_of_three(1);
  const Network one_by_one = network("xgft:1;4;1", {.startup_ps = kAlpha_ps});
  const Network together =
      network("xgft:1;4;1", {.startup_ps = kAlpha_ps, .startup_per = StartupPer::step});
  for (const Sync sync : kSyncs) {
    EXPECT_NEAR(time_us(p, one_by_one, {.sync = sync}), 15 + 20 + 1, 1e-6);
    EXPECT_NEAR(time_us(p, together, {.sync = sync}), 5 + 20 + 3, 1e-6);
  }
}

// The formulas have one start-up a step, whatever is asked for: 5 + 20 + 3.
TEST(Startups, are_one_a_step_in_the_alpha_beta_model) {
  for (const StartupPer per : {StartupPer::message, StartupPer::step})
    EXPECT_NEAR(time_us(scatter_of_three(1),
                        network("xgft:1;4;1", {.startup_ps = kAlpha_ps, .startup_per = per}),
                        {.model = Model::alpha_beta}),
                5 + 20 + 3, 1e-6);
}

// As packets the same: each has 1 B, cut through over one switch.
TEST(Startups, follow_each_other_before_packets) {
  const SimulationOptions packets{.model = Model::packet, .packet = {.routing = "up-down-random"}};
  EXPECT_NEAR(
      time_us(scatter_of_three(1), network("xgft:1;4;1", {.startup_ps = kAlpha_ps}), packets),
      15 + 20 + 1, 1e-6);
  EXPECT_NEAR(
      time_us(scatter_of_three(1),
              network("xgft:1;4;1", {.startup_ps = kAlpha_ps, .startup_per = StartupPer::step}),
              packets),
      5 + 20 + 3, 1e-6);
}

// Two ports, three messages of 100 B: the first is started at 5, flows from 25 and has the link
// alone for 5, then half of it: 25 + 5 + 190 = 220. The second (10, 30) has 95 B by then and ends
// at 225. At 220 the third has a port: started at 225, there at 245 + 100.
TEST(Startups, take_the_processor_once_a_port_is_free) {
  EXPECT_NEAR(
      time_us(scatter_of_three(100), network("xgft:1;4;1", {.startup_ps = kAlpha_ps, .ports = 2})),
      345, 1e-6);
}

// As many ports as messages are no limit, so times do not depend on them: with start-ups on both
// sides, packing and unpacking, and messages that come early.
TEST(Startups, take_as_long_with_a_port_for_each_message_as_with_any_number) {
  for (const char* topology : {"ring:3", "complete:5", "xgft:1;6;1"})
    for (const char* algorithm : {"recursive-doubling", "bruck", "spread", "ring"})
      for (const CollectiveKind kind :
           {CollectiveKind::allreduce, CollectiveKind::allgather, CollectiveKind::alltoall})
        for (const std::int64_t copy_Bps : {0, 7'000'000}) {
          HostParameters host{.startup_ps = kAlpha_ps,
                              .startup_receive_ps = 3'000'000,
                              .copy_bandwidth_Bps = copy_Bps};
          const Network any = network(topology, host);
          host.ports = 64;
          const Network many = network(topology, host);
          const Collective collective{.kind = kind, .ranks = any.ranks()};
          const algorithm::Algorithm& entry = find_algorithm(algorithm);
          if (!entry.supports(kind) || algorithm::misfit(entry, {collective, &any})) continue;
          const Program p = lower(
              schedule::verify_own(build_schedule(algorithm, collective, &any), &any.topology()),
              {.size_B = 100});
          for (const Sync sync : kSyncs)
            for (const std::int64_t eager_B : {std::int64_t{0}, eager_of(sync)})
              EXPECT_NEAR(time_us(p, many, {.sync = sync, .call = {.eager_B = eager_B}}),
                          time_us(p, any, {.sync = sync, .call = {.eager_B = eager_B}}), 1e-6)
                  << algorithm << ' ' << name_of(kind) << " on " << topology << ", copies at "
                  << copy_Bps << ", eager below " << eager_B << ", sync " << static_cast<int>(sync);
        }
}

// Three messages of 1 B meet on the root's link and arrive at 23; the root takes 4 for each: 27,
// 31,
// 35. Per step: 4 for all.
TEST(Startups, of_the_receiver_follow_the_data) {
  const Program p = gather_of_three(1);
  const Network one_by_one = network("xgft:1;4;1", {.startup_receive_ps = 4'000'000});
  const Network together =
      network("xgft:1;4;1", {.startup_receive_ps = 4'000'000, .startup_per = StartupPer::step});
  for (const Sync sync : kSyncs) {
    EXPECT_NEAR(time_us(p, one_by_one, {.sync = sync}), 23 + 3 * 4, 1e-6);
    EXPECT_NEAR(time_us(p, together, {.sync = sync}), 23 + 4, 1e-6);
  }
  EXPECT_NEAR(time_us(p, one_by_one, {.model = Model::alpha_beta}), 23 + 4, 1e-6);
}

// Step 0: 0 -> 1. Step 1: 2 -> 0 and 2 -> 1, which rank 2, idle before, sends at 0. All arrive at
// 110; rank 1 takes 30 for the first and enters step 1 at 140, where it takes 30 for the second;
// rank 0 takes 30 from 110 on. So in step 2 rank 0 sends to 2 at 140 and rank 1 to 0 and 2 at 170,
// which arrive at 250, handled until 280, and at 280.
TEST(Startups, of_what_comes_early_are_paid_in_its_step) {
  ScheduleBuilder builder(schedule::allgather(3));
  builder.at(0).send(Agent(0), Agent(1), builder.block(0));
  builder.at(1).send(Agent(2), Agent(0), builder.block(2));
  builder.at(1).send(Agent(2), Agent(1), builder.block(2));
  builder.at(2).send(Agent(1), Agent(0), builder.block(1));
  builder.at(2).send(Agent(1), Agent(2), builder.block(1));
  builder.at(2).send(Agent(0), Agent(2), builder.block(0));
  const SimulationResult result = simulate(
      program(std::move(builder), 100), network("complete:3", {.startup_receive_ps = 30'000'000}));
  EXPECT_NEAR(result.agent_times_s[0] * 1e6, 280 + 30, 1e-6);
  EXPECT_NEAR(result.agent_times_s[1] * 1e6, 280, 1e-6);
  EXPECT_NEAR(result.agent_times_s[2] * 1e6, 280 + 30, 1e-6);
}

// Rank 0 of five gathers all blocks (at 5 + 110) and sends each other rank the four it has not, at
// 400 B packed at 1 B/us but for rank 4, whose blocks are neighbours. The processor packs and
// starts message by message: 520, 925, 1330, 1335; 410 later they are there, and are unpacked in
// 400.
TEST(Startups, follow_the_packing_of_their_message) {
  ScheduleBuilder builder(schedule::allgather(5));
  for (std::int32_t from = 1; from < 5; ++from)
    builder.at(0).send(Agent(from), Agent(0), builder.block(from));
  for (std::int32_t to = 1; to < 5; ++to) {
    std::vector<Piece> others;
    for (std::int32_t block = 0; block < 5; ++block)
      if (block != to) others.push_back(builder.block(block));
    builder.at(1).send(Agent(0), Agent(to), others);
  }
  const Program p = program(std::move(builder), 100);
  const Network working =
      network("complete:5", {.startup_ps = kAlpha_ps, .copy_bandwidth_Bps = 1'000'000});
  const std::vector<double> times = simulate(p, working).agent_times_s;
  EXPECT_NEAR(times[1] * 1e6, 520 + 410 + 400, 1e-6);
  EXPECT_NEAR(times[2] * 1e6, 925 + 410 + 400, 1e-6);
  EXPECT_NEAR(times[3] * 1e6, 1330 + 410 + 400, 1e-6);
  EXPECT_NEAR(times[4] * 1e6, 1335 + 410, 1e-6);
}

// Ranks 0 and 1 on one node, each with a processor of its own: both messages to rank 2 are started
// at 5, and share the link for 2.
TEST(Startups, are_paid_by_each_rank_of_a_node) {
  ScheduleBuilder builder(schedule::gather(3, Rank(2)));
  for (const std::int32_t from : {0, 1})
    builder.at(0).send(Agent(from), Agent(2), builder.block(from));
  EXPECT_NEAR(time_us(program(std::move(builder), 1),
                      network("ring:3", {.startup_ps = kAlpha_ps}, {0, 0, 1})),
              5 + 10 + 2, 1e-6);
}

// Rank 0 starts the message within its node first, then the one to rank 2: 10 + 10 + 100. With
// receivers' start-ups of 3 rank 1 is done at 5 + 25 + 3.
TEST(Startups, are_paid_within_a_node) {
  ScheduleBuilder builder(schedule::broadcast(3));
  builder.at(0).send(Agent(0), Agent(1), builder.everything());
  builder.at(0).send(Agent(0), Agent(2), builder.everything());
  const HostParameters host{
      .startup_ps = kAlpha_ps, .startup_receive_ps = 3'000'000, .copy_bandwidth_Bps = 4'000'000};
  const SimulationResult result =
      simulate(program(std::move(builder), 100), network("ring:3", host, {0, 0, 1}));
  EXPECT_NEAR(result.agent_times_s[1] * 1e6, 5 + 25 + 3, 1e-6);
  EXPECT_NEAR(result.agent_times_s[2] * 1e6, 10 + 10 + 100 + 3, 1e-6);
}

double alltoall_us(const char* algorithm, const Network& on, std::int64_t size_B) {
  const auto schedule = build_schedule(algorithm, schedule::alltoall(on.ranks()), &on);
  return time_us(lower(schedule::verify_own(schedule, &on.topology()), {.size_B = size_B}), on);
}

// On a complete graph no two messages share a link: spread starts n - 1 messages of b, the last of
// which takes L + b / B more; Bruck sends n / 2 blocks in each of log2 n steps. 20 ns per KiB at 50
// GB/s.
TEST(Startups, let_bruck_win_small_alltoalls) {
  const Fabric fabric(make_topology("complete:128"),
                      {.bandwidth_Bps = 50'000'000'000, .latency_ps = 1'000'000});
  const auto with = [&](HostParameters host) {
    return Network{fabric, topology::place(fabric.topology(), {}), host,
                   make_routing("shortest", fabric)};
  };
  const Network plain = with({}), started = with({.startup_ps = 1'000'000});
  const double each_us = 50e-5;  // 25 B at 50 GB/s
  EXPECT_NEAR(alltoall_us("spread", plain, 25), 1 + each_us, 1e-6);
  EXPECT_NEAR(alltoall_us("spread", started, 25), 127 + 1 + each_us, 1e-6);
  EXPECT_NEAR(alltoall_us("bruck", plain, 25), 7 * (1 + 64 * each_us), 1e-6);
  EXPECT_NEAR(alltoall_us("bruck", started, 25), 7 * (1 + 1 + 64 * each_us), 1e-6);
  const Network by_step = with({.startup_ps = 1'000'000, .startup_per = StartupPer::step});
  EXPECT_NEAR(alltoall_us("spread", by_step, 25), 1 + 1 + each_us, 1e-6);
}

}  // namespace
}  // namespace weft::simulation
