// Readings of the steps, ports, releases and local work, with times derived by hand.
#include <gtest/gtest.h>

#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

// Times in microseconds: 1 MB/s is 1 B/us.
constexpr LinkSpeed kSpeed{.bandwidth_Bps = 1'000'000, .latency_ps = 10'000'000};

Network line(const char* topology, HostParameters host = {}, LinkSpeed speed = kSpeed) {
  const Fabric fabric(make_topology(topology), speed);
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing("shortest", fabric)};
}

Program program(ScheduleBuilder builder, std::int64_t size_B) {
  return lower(schedule::verify_own(std::move(builder).build()), {.size_B = size_B});
}

double time_us(const Program& p, const Network& network, const SimulationOptions& options = {}) {
  return simulate(p, network, options).time_s * 1e6;
}

/// Scatter from rank 0 on a star of hosts: three messages of 100 B in one step.
Program scatter_of_three() {
  ScheduleBuilder builder(schedule::scatter(4));
  for (std::int32_t to = 1; to < 4; ++to)
    builder.at(0).send(Agent(0), Agent(to), builder.block(to));
  return program(std::move(builder), 100);
}

// A buffer of 400 B in four segments over three ranks in a row: the k-th of 100 B is on rank 1 at
// 10 + 100 k and goes on at once, so the last is on rank 2 at 10 + 400 + 10 + 100. Sharing the link
// equally all would be on rank 1 at 410, and on rank 2 at 820.
TEST(Dataflow, sends_segments_in_order_over_a_link) {
  ScheduleBuilder builder(schedule::broadcast(3), {.segments = {.count = 4, .stride = 1}});
  builder.at(0).send(Agent(0), Agent(1), builder.everything());
  builder.at(1).send(Agent(1), Agent(2), builder.everything());
  const Program p = program(std::move(builder), 400);
  for (const Release release : {Release::delivered, Release::injected})
    EXPECT_NEAR(time_us(p, line("mesh:3"), {.sync = Sync::dataflow, .release = release}),
                10 + 400 + 10 + 100, 1e-6);
  EXPECT_NEAR(time_us(write_out(p), line("mesh:3")), 10 + 400 + 10 + 100, 1e-6);
}

// The same without segments: rank 0 has all blocks of a scatter and sends each in a step of its
// own. In order, that of rank 3 is on rank 1 at 10 + 100 and goes on at once over two more links:
// it is there at 3 * (10 + 100). Rank 2's is on rank 1 at 10 + 200 and arrives at 320, rank 1's own
// at 310. Sharing the link, all three would be on rank 1 at 310, two of them on rank 2 at 310 +
// 210, and rank 3's there at 520 + 110.
TEST(Dataflow, sends_steps_in_order_over_a_link) {
  ScheduleBuilder builder(schedule::scatter(4));
  builder.at(0).send(Agent(0), Agent(1), builder.block(3));
  builder.at(1).send(Agent(0), Agent(1), builder.block(2));
  builder.at(2).send(Agent(0), Agent(1), builder.block(1));
  builder.at(1).send(Agent(1), Agent(2), builder.block(3));
  builder.at(2).send(Agent(1), Agent(2), builder.block(2));
  builder.at(2).send(Agent(2), Agent(3), builder.block(3));
  const Program p = program(std::move(builder), 100);
  EXPECT_NEAR(time_us(p, line("mesh:4"), {.sync = Sync::dataflow}), 3 * (10 + 100), 1e-6);
}

// Two hops of 10 us. All at once: 300 B over the root's link, 300 us.
TEST(Ports, all_messages_share_the_link) {
  EXPECT_NEAR(time_us(scatter_of_three(), line("xgft:1;4;1")), 20 + 300, 1e-6);
}

// One port: start-up 5, latency 20, 100 B each, one after the other: 3 * 125.
TEST(Ports, one_port_sends_one_by_one) {
  const HostParameters host{.startup_ps = 5'000'000, .ports = 1};
  EXPECT_NEAR(time_us(scatter_of_three(), line("xgft:1;4;1", host)), 3 * 125, 1e-6);
}

// Two ports, started together: the first two share the link until 5 + 20 + 200; then the third
// alone. (One after the other: startups_test.cpp.)
TEST(Ports, two_ports_send_two) {
  const HostParameters host{.startup_ps = 5'000'000, .startup_per = StartupPer::step, .ports = 2};
  EXPECT_NEAR(time_us(scatter_of_three(), line("xgft:1;4;1", host)), 225 + 125, 1e-6);
}

// Injected: the port is free after 5 + 100; the last byte arrives 20 later.
TEST(Release, injected_frees_the_port_before_the_latency) {
  const HostParameters host{.startup_ps = 5'000'000, .ports = 1};
  EXPECT_NEAR(time_us(scatter_of_three(), line("xgft:1;4;1", host), {.release = Release::injected}),
              3 * 105 + 20, 1e-6);
}

// Acknowledged: 20 more for each answer; the last one counts, too: its sender waits for it.
TEST(Release, acknowledged_keeps_the_port_for_the_answer) {
  const HostParameters host{.startup_ps = 5'000'000, .ports = 1};
  EXPECT_NEAR(
      time_us(scatter_of_three(), line("xgft:1;4;1", host), {.release = Release::acknowledged}),
      3 * 145, 1e-6);
}

/// Allgather of 3 on a one-way ring, but rank 1 -> 2 carries its block twice as late as it could:
/// step 0: 0 -> 1 and 2 -> 0; step 1: 1 -> 2 (block 1); step 2: 1 -> 2 (block 0), 0 -> 1 (block 2).
Program uneven_allgather() {
  ScheduleBuilder builder(schedule::allgather(3));
  builder.at(0).send(Agent(0), Agent(1), builder.block(0));
  builder.at(0).send(Agent(2), Agent(0), builder.block(2));
  builder.at(1).send(Agent(1), Agent(2), builder.block(1));
  builder.at(2).send(Agent(1), Agent(2), builder.block(0));
  builder.at(2).send(Agent(0), Agent(1), builder.block(2));
  builder.at(3).send(Agent(2), Agent(0), builder.block(1));
  return program(std::move(builder), 100);
}

// Each message alone on its link takes 110.
TEST(Sync, lockstep_takes_all_steps) {
  EXPECT_NEAR(time_us(uneven_allgather(), line("uniring:3"), {.sync = Sync::lockstep}), 4 * 110,
              1e-6);
}

// Rank 0 has nothing in step 1 and sends block 2 at 110; it arrives at 220. Rank 1: step 0 to 110,
// step 1 to 220, step 2 sends block 0, to 330. Rank 2: step 0 to 110, 1 to 220, 2 to 330, step 3
// sends block 1 to rank 0: 440.
TEST(Sync, per_rank_passes_through_idle_steps) {
  const SimulationResult result = simulate(uneven_allgather(), line("uniring:3"));
  EXPECT_NEAR(result.agent_times_s[0] * 1e6, 440, 1e-6);
  EXPECT_NEAR(result.agent_times_s[1] * 1e6, 330, 1e-6);
  EXPECT_NEAR(result.agent_times_s[2] * 1e6, 440, 1e-6);
}

// 0 -> 1, 2 -> 0, and 1 -> 2 of block 1 start at 0 and are done at 110; what they brought goes on
// at once, alone on each link again: 220.
TEST(Sync, dataflow_sends_what_is_there) {
  EXPECT_NEAR(time_us(uneven_allgather(), line("uniring:3"), {.sync = Sync::dataflow}), 220, 1e-6);
}

// A pipelined chain over two hops: per-rank and dataflow agree with lockstep's formula:
// (segments + 1) messages of 50 B, each 10 + 50.
TEST(Sync, all_readings_agree_on_a_pipeline) {
  ScheduleBuilder builder(schedule::broadcast(3), {.segments = {.count = 4, .stride = 1}});
  builder.at(0).send(Agent(0), Agent(1), builder.everything());
  builder.at(1).send(Agent(1), Agent(2), builder.everything());
  const Program p = program(std::move(builder), 200);
  for (const Sync sync : {Sync::lockstep, Sync::per_rank})
    EXPECT_NEAR(time_us(p, line("mesh:3"), {.sync = sync}), 5 * 60, 1e-6);
  // Dataflow sends all four at once: they leave in order, without a latency between them. The last
  // is on rank 1 at 10 + 200, and 10 + 50 later on rank 2.
  EXPECT_NEAR(time_us(p, line("mesh:3"), {.sync = Sync::dataflow}), 210 + 60, 1e-6);
  // With one port they leave one by one: 4 * 60, and the last one takes another 60.
  EXPECT_NEAR(time_us(p, line("mesh:3", {.ports = 1}), {.sync = Sync::dataflow}), 5 * 60, 1e-6);
}

// As in the pipeline above: the last of two segments of 100 B arrives at 10 + 200, then 110. A
// million steps between them are empty, and each held in memory would take a gigabyte.
TEST(Sync, dataflow_passes_over_empty_steps) {
  ScheduleBuilder builder(schedule::broadcast(3), {.segments = {.count = 2, .stride = 1 << 20}});
  builder.at(0).send(Agent(0), Agent(1), builder.everything());
  builder.at(1).send(Agent(1), Agent(2), builder.everything());
  EXPECT_NEAR(time_us(program(std::move(builder), 200), line("mesh:3"), {.sync = Sync::dataflow}),
              210 + 110, 1e-6);
}

// Ranks 1 and 2 send 100 B to rank 0, which reduces both at 0.5 B/us, one after the other: both
// arrive at 110 over their own links; 110 + 200 + 200.
TEST(LocalWork, reduces_one_after_the_other) {
  ScheduleBuilder builder(schedule::reduce(3));
  builder.at(0).send(Agent(1), Agent(0), builder.everything(), Arrival::reduce);
  builder.at(0).send(Agent(2), Agent(0), builder.everything(), Arrival::reduce);
  const Program p = program(std::move(builder), 100);
  const Network network = line("ring:3", {.reduce_bandwidth_Bps = 500'000});
  for (const Sync sync : {Sync::lockstep, Sync::per_rank, Sync::dataflow})
    EXPECT_NEAR(time_us(p, network, {.sync = sync}), 510, 1e-6);
  EXPECT_NEAR(time_us(p, network, {.model = Model::alpha_beta}), 510, 1e-6);
}

// Allgather of 4: the even ranks collect all blocks, then pass on blocks 0 and 2 in one message of
// two pieces, which are packed before (200 B at 1 B/us) and unpacked after.
Program two_scattered_messages() {
  ScheduleBuilder builder(schedule::allgather(4));
  const std::vector<Piece> scattered = {builder.block(0), builder.block(2)};
  for (const std::int32_t to : {1, 3}) {
    builder.at(0).send(Agent(to), Agent(0), builder.block(to));
    builder.at(0).send(Agent(to), Agent(2), builder.block(to));
  }
  builder.at(0).send(Agent(0), Agent(2), builder.block(0));
  builder.at(0).send(Agent(2), Agent(0), builder.block(2));
  builder.at(1).send(Agent(0), Agent(1), scattered);
  builder.at(1).send(Agent(2), Agent(3), scattered);
  builder.at(1).send(Agent(1), Agent(3), builder.block(1));
  builder.at(1).send(Agent(3), Agent(1), builder.block(3));
  return program(std::move(builder), 100);
}
TEST(LocalWork, packs_and_unpacks_scattered_pieces) {
  const Program p = two_scattered_messages();
  const Network plain = line("complete:4");
  const Network working = line("complete:4", {.copy_bandwidth_Bps = 1'000'000});
  EXPECT_NEAR(time_us(p, plain), 110 + 210, 1e-6);
  EXPECT_NEAR(time_us(p, working), 110 + 200 + 210 + 200, 1e-6);
  EXPECT_NEAR(time_us(p, working, {.sync = Sync::dataflow}), 110 + 200 + 210 + 200, 1e-6);
  EXPECT_NEAR(time_us(p, working, {.model = Model::alpha_beta}), 110 + 200 + 210 + 200, 1e-6);
}

// Each rank has a buffer of 400 B: copies run at the other rate from 400 B on.
TEST(LocalWork, copies_at_another_rate_beyond_the_cache) {
  const Program p = two_scattered_messages();
  for (const auto& [from_B, copy_us] : {std::pair(401, 200), std::pair(400, 100)}) {
    const Network network =
        line("complete:4", {.copy_bandwidth_Bps = 1'000'000, .large_copies = {from_B, 2'000'000}});
    for (const Model model : {Model::alpha_beta, Model::fluid})
      EXPECT_NEAR(time_us(p, network, {.model = model}), 110 + 210 + 2 * copy_us, 1e-6) << from_B;
  }
}

// Two ranks on one host: start-up and a copy, no link.
TEST(WithinANode, costs_startup_and_a_copy) {
  const Fabric fabric(make_topology("ring:3"), kSpeed);
  const HostParameters host{.startup_ps = 5'000'000, .copy_bandwidth_Bps = 4'000'000};
  const Network network(fabric, {{NodeId(0), NodeId(0)}}, host, make_routing("shortest", fabric));
  ScheduleBuilder builder(schedule::broadcast(2));
  builder.at(0).send(Agent(0), Agent(1), builder.everything());
  const Program p = program(std::move(builder), 100);
  for (const Model model : {Model::alpha_beta, Model::fluid})
    EXPECT_NEAR(time_us(p, network, {.model = model}), 5 + 25, 1e-6);
}

// The two ranks' buffers of 100 B share the cache of their host.
TEST(WithinANode, counts_the_buffers_of_all_its_ranks) {
  const Fabric fabric(make_topology("ring:3"), kSpeed);
  ScheduleBuilder builder(schedule::broadcast(2));
  builder.at(0).send(Agent(0), Agent(1), builder.everything());
  const Program p = program(std::move(builder), 100);
  for (const auto& [from_B, copy_us] : {std::pair(201, 25.0), std::pair(200, 12.5)}) {
    const HostParameters host{.copy_bandwidth_Bps = 4'000'000, .large_copies = {from_B, 8'000'000}};
    const Network network(fabric, {{NodeId(0), NodeId(0)}}, host, make_routing("shortest", fabric));
    for (const Model model : {Model::alpha_beta, Model::fluid})
      EXPECT_NEAR(time_us(p, network, {.model = model}), copy_us, 1e-6) << from_B;
  }
}

TEST(Simulate, takes_no_time_for_no_steps) {
  const Program p = program(ScheduleBuilder(schedule::broadcast(1)), 100);
  for (const Sync sync : {Sync::lockstep, Sync::per_rank, Sync::dataflow})
    EXPECT_EQ(time_us(p, line("ring:3"), {.sync = sync}), 0);
  EXPECT_EQ(time_us(p, line("ring:3"), {.model = Model::alpha_beta}), 0);
}

TEST(Simulate, takes_no_time_for_no_bytes) {
  ScheduleBuilder builder(schedule::broadcast(2));
  builder.at(0).send(Agent(0), Agent(1), builder.everything());
  const Program p = program(std::move(builder), 0);
  for (const Sync sync : {Sync::lockstep, Sync::per_rank, Sync::dataflow}) {
    const SimulationResult result = simulate(p, line("ring:3"), {.sync = sync});
    EXPECT_EQ(result.time_s, 0);
    EXPECT_EQ(result.messages, 0);
    EXPECT_EQ(result.bus_bandwidth_Bps, 0);
  }
}

}  // namespace
}  // namespace weft::simulation
