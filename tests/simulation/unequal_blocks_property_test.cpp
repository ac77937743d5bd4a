// Unequal blocks in all four models: shortcuts against the simulator that leaves out nothing, and
// blocks of one size against those that nobody gave sizes.
#include <gtest/gtest.h>

#include <random>

#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/program/block_sizes.hpp"
#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/recall.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

struct UnequalCase {
  const char* topology;
  CollectiveKind collective;
  const char* algorithm;
};

constexpr const char* kSpeed = "8Gbps,1us";  // 1 GB/s

constexpr UnequalCase kUnequalCases[] = {
    {"ring:6", CollectiveKind::allgather, "ring"},
    {"torus:4x4", CollectiveKind::allgather, "bfb"},
    {"kautz:2,2", CollectiveKind::allgather, "bfb"},
    {"torus:3x3", CollectiveKind::reduce_scatter, "bfb"},
    {"ring:8", CollectiveKind::reduce_scatter, "ring"},
    {"hypercube:3", CollectiveKind::reduce_scatter, "recursive-halving"},
    {"torus:3x4", CollectiveKind::alltoall, "spread"},
    {"complete:7", CollectiveKind::alltoall, "shift"},
    {"xgft:2;4,2;1,2", CollectiveKind::alltoall, "shift"},
    {"xgft:2;4,2;1,2", CollectiveKind::alltoall, "bruck"},
    {"xgft:2;4,2;1,2", CollectiveKind::allgather, "recursive-doubling"}};

Network network_of(const char* topology, const char* speed, const HostParameters& host) {
  LinkOptions links;
  topology::parse_link_option(speed, links);
  const Fabric fabric(build_topology(topology), links);
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing("shortest", fabric)};
}

std::shared_ptr<const BlockSizes> drawn_blocks(std::int64_t count, std::mt19937_64& random) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t b = 0; b < count; ++b)
    sizes.push_back(random() % 4 == 0 ? 0 : 1 + static_cast<std::int64_t>(random() % 5000));
  sizes[random() % sizes.size()] = 20'000;
  return std::make_shared<const BlockSizes>(sizes);
}

void expect_same(const SimulationResult& fast, const SimulationResult& full) {
  EXPECT_NEAR(fast.time_s, full.time_s, 1e-9 * full.time_s);
  EXPECT_EQ(fast.messages, full.messages);
  ASSERT_EQ(fast.agent_times_s.size(), full.agent_times_s.size());
  for (std::size_t a = 0; a < full.agent_times_s.size(); ++a)
    ASSERT_NEAR(fast.agent_times_s[a], full.agent_times_s[a], 1e-9 * full.time_s) << "agent " << a;
}

TEST(UnequalBlocksProperty, are_simulated_as_without_shortcuts) {
  for (const UnequalCase& c : kUnequalCases)
    for (int run = 0; run < test::samples(6); ++run) {
      std::mt19937_64 random(static_cast<std::uint64_t>(run) * 37 + 5);
      const Network network =
          network_of(c.topology, kSpeed,
                     {.startup_ps = run % 2 == 0 ? 0 : 700'000,
                      .reduce_bandwidth_Bps = run % 3 == 0 ? 0 : 5'000'000'000});
      const Collective collective{c.collective, network.ranks()};
      const Verified verified = schedule::verify_own(
          algorithm::build_schedule(c.algorithm, collective, &network), &network.topology());
      SimulationOptions options{.sync = run % 3 == 1 ? Sync::lockstep : Sync::per_rank};
      options.recall = std::make_shared<Recall>(network);  // shared by all sizes
      const auto blocks = drawn_blocks(collective.blocks(), random);
      for (const std::int64_t size_B : {std::int64_t{1000}, std::int64_t{64000}}) {
        SCOPED_TRACE(testing::Message() << c.algorithm << " on " << c.topology << ", run " << run);
        const Program program =
            repeat(lower(verified, {.size_B = size_B, .blocks = blocks}), 1 + run % 2);
        SimulationOptions plain = options;
        plain.recall = nullptr;
        expect_same(simulate_fluid(program, network, options),
                    simulate_fluid(program, network, plain, {.shortcuts = {}}));
      }
    }
}

// To the last digit.
TEST(UnequalBlocksProperty, of_one_size_take_as_long_as_equal_blocks) {
  for (const UnequalCase& c : kUnequalCases)
    for (const Model model : {Model::alpha_beta, Model::fluid, Model::packet, Model::flit}) {
      const Network network = network_of(c.topology, kSpeed, {});
      const Collective collective{c.collective, network.ranks()};
      const Verified verified = schedule::verify_own(
          algorithm::build_schedule(c.algorithm, collective, &network), &network.topology());
      const SimulationOptions options{.model = model};
      const std::int64_t size_B =
          collective.size_is_block() ? 5040 : 5040 * std::int64_t{network.ranks()};
      const auto blocks =
          std::make_shared<const BlockSizes>(std::vector<std::int64_t>(collective.blocks(), 3));
      SCOPED_TRACE(testing::Message()
                   << c.algorithm << " on " << c.topology << " by " << name_of(model));
      const double equal_s = simulate(lower(verified, {.size_B = size_B}), network, options).time_s;
      const double given_s =
          simulate(lower(verified, {.size_B = size_B, .blocks = blocks}), network, options).time_s;
      if (model == Model::fluid)  // classes of messages add their rates in another order
        EXPECT_NEAR(given_s, equal_s, 1e-12 * equal_s);
      else
        EXPECT_EQ(given_s, equal_s);
    }
}

// Allgather around a ring of one-way links, blocks 8, 1, 1, 1 KB at 1 GB/s: the large block makes
// three hops of 8 us, one after the other, and nothing is behind it: 24 us. An even allgather of
// as many bytes takes three steps of 11 / 4 KB, 8.25 us.
TEST(UnequalBlocksProperty, of_a_ring_wait_for_the_largest) {
  const Network network = network_of("uniring:4", "8Gbps,0us", {});
  const Verified verified = schedule::verify_own(
      algorithm::build_schedule("ring", schedule::allgather(4), &network), &network.topology());
  const auto blocks =
      std::make_shared<const BlockSizes>(std::vector<std::int64_t>{8000, 1000, 1000, 1000});
  const SimulationOptions options{};
  EXPECT_NEAR(
      simulate(lower(verified, {.size_B = 2750, .blocks = blocks}), network, options).time_s, 24e-6,
      1e-12);
  EXPECT_NEAR(simulate(lower(verified, {.size_B = 2750}), network, options).time_s, 8.25e-6, 1e-12);
}

}  // namespace
}  // namespace weft::simulation
