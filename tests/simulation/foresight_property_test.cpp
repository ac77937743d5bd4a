// Times foreseen, against the whole simulation: random networks, placements, options and calls.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/foresight.hpp"
#include "weft/simulation/reading/step_ends.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

struct Case {
  const char* algorithm;
  CollectiveKind collective = CollectiveKind::broadcast;
  bool of_any_ranks = true;  // else of powers of two
};

struct Instance {
  Network network;
  Program program;
  SimulationOptions options;
};

template <class T>
T one_of(std::mt19937_64& random, std::initializer_list<T> values) {
  return values.begin()[random() % values.size()];
}

// Ranks stand anywhere, up to three on a host.
Network random_network(std::mt19937_64& random, const Case& c) {
  const auto name = "hosts(2, random-regular:8,3,seed=" + std::to_string(random() % 20 + 1) + ")";
  const Fabric fabric(make_topology(name), LinkSpeed{.bandwidth_Bps = 1'000'000'000,
                                                     .latency_ps = one_of<std::int64_t>(
                                                         random, {0, 200'000, 1'000'000})});
  const auto hosts = fabric.topology().hosts();
  Placement placement;
  const auto ranks = c.of_any_ranks ? 3 + random() % 12 : one_of<std::size_t>(random, {4, 8, 16});
  for (std::size_t r = 0; r < ranks; ++r)
    placement.nodes.push_back(hosts[random() % std::min(hosts.size(), ranks)]);
  const HostParameters host{
      .startup_ps = one_of<std::int64_t>(random, {0, 0, 700'000}),
      .startup_receive_ps = one_of<std::int64_t>(random, {0, 0, 400'000}),
      .startup_per = one_of(random, {StartupPer::message, StartupPer::step}),
      .ports = one_of(random, {0, 0, 1}),
      .copy_bandwidth_Bps = one_of<std::int64_t>(random, {0, 498'000'000, 9'000'000'000})};
  return {fabric, std::move(placement), host,
          make_routing(one_of(random, {"shortest", "shortest", "shortest-split"}), fabric)};
}

SimulationOptions random_options(std::mt19937_64& random) {
  SimulationOptions options{
      .sync = one_of(random, {Sync::per_rank, Sync::per_rank, Sync::per_rank, Sync::lockstep}),
      .release = one_of(random, {Release::delivered, Release::delivered, Release::injected,
                                 Release::acknowledged}),
      .sharing = one_of(random, {Sharing::max_min, Sharing::smpi}),
      .cables = one_of(random, {Cables::duplex, Cables::duplex, Cables::shared}),
      .call = {.receives = one_of(random, {Receives::early, Receives::in_step})}};
  options.call.header_B = one_of<std::int64_t>(random, {0, 16});
  if (options.release != Release::acknowledged)
    options.call.eager_B = one_of<std::int64_t>(random, {0, 0, 5000, 100'000});
  if (random() % 3 == 0)
    options.call.loopback = LinkSpeed{.bandwidth_Bps = 498'000'000, .latency_ps = 15'000'000};
  if (random() % 3 == 0) {
    const auto draw = [&] { return one_of(random, {0.4, 0.94, 1.0, 1.8}); };
    options.factors = std::make_shared<const SizeFactors>(
        SizeFactors{.all = {{0, draw(), draw()}, {3000, draw(), draw()}}, .by_class = {}});
  }
  return options;
}

Instance random_instance(std::mt19937_64& random, const Case& c, int calls) {
  Network network = random_network(random, c);
  const Collective collective{c.collective, network.ranks()};
  const auto verified =
      schedule::verify_own(algorithm::build_schedule(c.algorithm, collective, nullptr));
  Program program = repeat(
      lower(verified, {.size_B = 100 + static_cast<std::int64_t>(random() % 20'000)}), calls);
  return {std::move(network), std::move(program), random_options(random)};
}

constexpr Case kCases[] = {{"binomial"},
                           {"scatter-doubling", CollectiveKind::broadcast, false},
                           {"chain"},
                           {"binomial", CollectiveKind::reduce},
                           {"recursive-doubling", CollectiveKind::allreduce, false},
                           {"ring", CollectiveKind::allgather}};

void expect_within(const TimeRange& range, double time_s, double limit_s) {
  EXPECT_LE(range.least_s, time_s);
  EXPECT_GE(range.most_s, time_s);
  const bool beyond = std::isinf(range.most_s);
  EXPECT_TRUE(!beyond || range.least_s > limit_s);
  EXPECT_TRUE(!beyond || time_s >= limit_s * (1 - 1e-8));
}

TEST(ForeseenTime, is_in_range_and_above_a_limit_only_where_the_time_is) {
  int above = 0;
  for (int run = 0; run < test::samples(150); ++run)
    for (const Case& c : kCases) {
      std::mt19937_64 random(static_cast<std::uint64_t>(run) * 1009 + 3);
      const int calls = one_of(random, {1, 1, 2, 7, 30});
      const auto [network, program, options] = random_instance(random, c, calls);
      const double time_s = simulate(program, network, options).time_s;
      for (const double share : {0.3, 0.8, 0.99, 1.0, 1.01, 3.0}) {
        SCOPED_TRACE(testing::Message() << c.algorithm << ", run " << run << ", " << calls
                                        << " calls, limit " << share << " of " << time_s << " s");
        const TimeRange range = foresee_time(program, network, options, share * time_s);
        expect_within(range, time_s, share * time_s);
        const bool beyond = std::isinf(range.most_s);
        EXPECT_TRUE(calls > 1 || beyond || range.most_s == time_s);  // to the bit
        above += beyond ? 1 : 0;
      }
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_GT(above, 0);
}

TEST(ForeseenTime, leaves_out_calls_that_repeat) {
  int shortened = 0;
  for (int run = 0; run < test::samples(100); ++run)
    for (const Case& c : kCases) {
      std::mt19937_64 random(static_cast<std::uint64_t>(run) * 2003 + 11);
      const auto [network, program, options] = random_instance(random, c, 40);
      SCOPED_TRACE(testing::Message() << c.algorithm << ", run " << run);
      const SimulationResult full = simulate_fluid(program, network, options);
      StepEnds ends;
      const SimulationResult fast =
          simulate_fluid(program, network, options, {.shortcuts = kFluidShortcuts, .ends = &ends});
      ASSERT_NEAR(fast.time_s, full.time_s, 1e-9 * full.time_s);
      for (std::size_t a = 0; a < full.agent_times_s.size(); ++a)
        ASSERT_NEAR(fast.agent_times_s[a], full.agent_times_s[a], 1e-9 * full.time_s) << a;
      shortened += ends.steps() > 0 && ends.steps() < program.steps() ? 1 : 0;
    }
  EXPECT_GT(shortened, test::samples(100));  // most of those that are not done without events
}

}  // namespace
}  // namespace weft::simulation
