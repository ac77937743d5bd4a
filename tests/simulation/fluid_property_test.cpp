// Whole simulations of random all-to-alls (each message in a random step) against the naive
// simulator.
#include <gtest/gtest.h>

#include <random>

#include "support/judges/naive_simulation.hpp"
#include "support/samples.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

struct Setting {
  const char* topology;
  const char* routing = "shortest";
  SimulationOptions options = {};
  HostParameters host = {};
};

schedule::Schedule random_alltoall(std::int32_t ranks, std::mt19937_64& random) {
  const std::uint64_t steps = 1 + random() % 6;
  schedule::ScheduleBuilder builder(schedule::alltoall(ranks), {.algorithm = "random"});
  for (std::int32_t from = 0; from < ranks; ++from)
    for (std::int32_t to = 0; to < ranks; ++to)
      if (from != to)
        builder.at(static_cast<std::int64_t>(random() % steps))
            .send(Agent(from), Agent(to), builder.block(std::int64_t{from} * ranks + to));
  return std::move(builder).build();
}

Network make_network(const Setting& setting, std::mt19937_64& random) {
  const LinkSpeed speed{.bandwidth_Bps = 1'000'000'000,
                        .latency_ps = static_cast<std::int64_t>(1 + random() % 3'000'000)};
  const Fabric fabric(make_topology(setting.topology), speed);
  return {fabric, topology::place(fabric.topology(), {}), setting.host,
          make_routing(setting.routing, fabric)};
}

void compare(const Setting& setting) {
  const auto seeds = static_cast<std::uint64_t>(test::samples(150));
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::mt19937_64 random(seed);
    const Network network = make_network(setting, random);
    const Program program = lower(schedule::verify_own(random_alltoall(network.ranks(), random)),
                                  {.size_B = static_cast<std::int64_t>(1 + random() % 20000)});
    const std::vector<double> ours = simulate(program, network, setting.options).agent_times_s;
    const std::vector<double> naive = test::naive_simulation(program, network, setting.options);
    for (std::size_t a = 0; a < ours.size(); ++a)
      ASSERT_NEAR(ours[a], naive[a], 1e-8 * naive[a])
          << setting.topology << ", seed " << seed << ", agent " << a;
  }
}

TEST(FluidAgainstNaive, per_rank) {
  compare({"ring:6"});
  compare({"torus:3x3"});
  compare({"random-regular:8,3,seed=2"});
}
TEST(FluidAgainstNaive, lockstep) {
  compare({.topology = "torus:3x3", .options = {.sync = Sync::lockstep}});
}
TEST(FluidAgainstNaive, weighted_by_round_trip_time) {
  compare({.topology = "mesh:3x3", .options = {.sharing = Sharing::rtt}});
}
TEST(FluidAgainstNaive, split_routes) {
  compare({.topology = "torus:3x3", .routing = "shortest-split"});
}
TEST(FluidAgainstNaive, ports_and_startup) {
  compare({.topology = "ring:6", .host = {.startup_ps = 700'000, .ports = 1}});
  compare({.topology = "torus:3x3", .host = {.startup_ps = 1'300'000, .ports = 2}});
}
TEST(FluidAgainstNaive, startups_in_turn_with_all_ports) {
  for (const Sync sync : {Sync::per_rank, Sync::lockstep}) {
    const SimulationOptions options{.sync = sync};
    compare({.topology = "torus:3x3", .options = options, .host = {.startup_ps = 900'000}});
    compare({.topology = "ring:6", .options = options, .host = {.startup_receive_ps = 2'100'000}});
    compare({.topology = "torus:3x3",
             .options = options,
             .host = {.startup_ps = 1'300'000, .startup_receive_ps = 700'000}});
  }
}
TEST(FluidAgainstNaive, startups_of_a_step_together) {
  for (const int ports : {0, 1, 2})
    compare({.topology = "torus:3x3",
             .host = {.startup_ps = 1'300'000,
                      .startup_receive_ps = 700'000,
                      .startup_per = StartupPer::step,
                      .ports = ports}});
}

void expect_the_same(const HostParameters& a, const HostParameters& b) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::vector<double> times[2];
    for (const int which : {0, 1}) {
      std::mt19937_64 random(seed);
      const Network network =
          make_network({.topology = "torus:3x3", .host = which == 0 ? a : b}, random);
      const Program program = lower(schedule::verify_own(random_alltoall(network.ranks(), random)),
                                    {.size_B = static_cast<std::int64_t>(1 + random() % 20000)});
      times[which] = simulate(program, network).agent_times_s;
    }
    ASSERT_EQ(times[0], times[1]) << "seed " << seed;
  }
}

// What a start-up is paid for says nothing where there is none, or where a host has one message at
// a time: to the last digit.
TEST(Fluid, start_ups_of_messages_and_steps_agree_where_they_must) {
  expect_the_same({}, {.startup_per = StartupPer::step});
  expect_the_same({.ports = 2}, {.startup_per = StartupPer::step, .ports = 2});
  expect_the_same({.startup_ps = 700'000, .ports = 1},
                  {.startup_ps = 700'000, .startup_per = StartupPer::step, .ports = 1});
}

TEST(FluidAgainstNaive, releases) {
  for (const Release release : {Release::injected, Release::acknowledged}) {
    compare({.topology = "ring:6", .options = {.release = release}, .host = {.ports = 1}});
    compare({.topology = "mesh:3x2", .options = {.sync = Sync::lockstep, .release = release}});
  }
}

TEST(Fluid, repeats_itself_to_the_last_digit) {
  std::mt19937_64 random(7);
  const Network network = make_network({"torus:4x4"}, random);
  const Program program = lower(schedule::verify_own(random_alltoall(16, random)), {.size_B = 999});
  const std::vector<double> first = simulate(program, network).agent_times_s;
  EXPECT_EQ(first, simulate(program, network).agent_times_s);
}

}  // namespace
}  // namespace weft::simulation
