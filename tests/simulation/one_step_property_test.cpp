// Bounds of a step from the loads of its links, beside the simulation of every message.
#include "weft/simulation/fluid/one_step.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/random.hpp"
#include "weft/simulation/recall.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr const char* kNetworks[] = {"random-regular:14,3",
                                     "mesh:4x5",
                                     "leaf-spine:leaves=3,spines=2,hosts=4",
                                     "slimfly:3",
                                     "genkautz:3,11",
                                     "dragonfly:a=3,p=2,h=1",
                                     "torus:3x5",
                                     "hosts(2, ring:5)",
                                     "without(cable=1, torus:4x4)",
                                     "2dfc:3x4",
                                     "random-regular:17,4"};

SimulationOptions any_number_of_messages() {
  SimulationOptions options;
  options.many_messages = 1;
  return options;
}
const SimulationOptions kAny = any_number_of_messages();

struct Drawn {
  Topology topology;
  Fabric fabric;
  Network network;

  explicit Drawn(Rng& random)
      : topology(make_topology(kNetworks[random.below(std::ssize(kNetworks))])),
        fabric(topology, {.bandwidth_Bps = 1'000'000'000, .latency_ps = random.below(3) * 500'000}),
        network(fabric, topology::place(topology, {}), host_drawn(random),
                make_routing(random.below(2) == 0 ? "shortest" : "shortest-split", fabric)) {}

  static HostParameters host_drawn(Rng& random) {
    return {.startup_ps = random.below(3) == 0 ? 700'000 : 0,
            .startup_per = random.below(2) == 0 ? StartupPer::message : StartupPer::step};
  }
};

Program alltoall_on(const Network& network, std::int64_t size_B) {
  const Collective collective{.kind = CollectiveKind::alltoall, .ranks = network.ranks()};
  return lower(schedule::verify_own(algorithm::build_schedule("spread", collective, &network, {}),
                                    &network.topology()),
               {.size_B = size_B});
}

TEST(OneStepProperty, bounds_enclose_the_simulated_time) {
  Rng random(23);
  int close = 0;
  const int draws = static_cast<int>(std::ssize(test::samples_between(1, 600)));
  for (int i = 0; i < draws; ++i) {
    const Drawn drawn(random);
    const std::int64_t size_B = 1 + random.below(std::int64_t{1} << (4 + random.below(20)));
    const Program program = alltoall_on(drawn.network, size_B);
    SunkWork sunk;
    const auto range = one_step_range(program, drawn.network, kAny, sunk);
    ASSERT_TRUE(range);
    const double time_s = simulate(program, drawn.network).time_s;
    SCOPED_TRACE(fmt::format("{} at {} B", drawn.topology.name(), size_B));
    EXPECT_LE(range->least_s, time_s * (1 + 1e-9));
    EXPECT_GE(range->most_s, time_s * (1 - 1e-9));
    close += range->most_s <= range->least_s * 1.001 ? 1 : 0;
  }
  EXPECT_GT(close, draws / 10);  // they tell something
}

// Without latency, and with blocks of one length, the busiest link tells all.
TEST(OneStepProperty, bounds_meet_where_all_messages_begin_together) {
  for (const char* expression :
       {"random-regular:14,3", "mesh:4x5", "without(cable=1, torus:4x4)"}) {
    const Topology topology = make_topology(expression);
    const Fabric fabric(topology, {.bandwidth_Bps = 1'000'000'000, .latency_ps = 0});
    const Network network(fabric, topology::place(topology, {}), {},
                          make_routing("shortest-split", fabric));
    const Program program = alltoall_on(network, 1000 * network.ranks());
    SunkWork sunk;
    const auto range = one_step_range(program, network, kAny, sunk);
    ASSERT_TRUE(range);
    EXPECT_NEAR(range->most_s, range->least_s, 1e-12 * range->least_s);
    EXPECT_NEAR(range->most_s, simulate(program, network).time_s, 1e-9 * range->most_s);
  }
}

TEST(OneStep, loads_are_found_once_for_sizes_of_whole_units) {
  Rng random(5);
  const Drawn drawn(random);
  SimulationOptions options = kAny;
  options.recall = std::make_shared<Recall>(drawn.network);
  std::int64_t spent = 0;
  for (const std::int64_t block_B : {0, 1000, 1, 0, 77'000}) {
    const Program program = alltoall_on(drawn.network, block_B * drawn.network.ranks());
    SunkWork with, without;
    const auto recalled = one_step_range(program, drawn.network, options, with);
    const auto anew = one_step_range(program, drawn.network, kAny, without);
    ASSERT_EQ(recalled.has_value(), block_B > 0);
    ASSERT_EQ(anew.has_value(), block_B > 0);
    if (block_B == 0) continue;
    EXPECT_NEAR(recalled->least_s, anew->least_s, 1e-12 * anew->least_s);
    EXPECT_NEAR(recalled->most_s, anew->most_s, 1e-12 * anew->most_s);
    EXPECT_EQ(with.counted, without.counted);  // as if it had found them itself
    spent += with.spent;
    EXPECT_EQ(spent, without.spent);
  }
  options.recall->settle();
  SunkWork settled;
  one_step_range(alltoall_on(drawn.network, 5 * drawn.network.ranks()), drawn.network, options,
                 settled);
  EXPECT_EQ(settled.counted, 0);
}

// The rendezvous and the copies of one size are not those of another.
TEST(OneStep, loads_of_a_size_have_its_delays) {
  Rng random(5);
  const Drawn drawn(random);
  const Network network = drawn.network.with_host(
      {.rendezvous = {2'000, 1'500'000}, .eager_copies = {3'000, 600'000'000}});
  SimulationOptions options = kAny;
  options.recall = std::make_shared<Recall>(network);
  for (const std::int64_t block_B : {1000, 1, 2500, 77'000, 1000, 90'000}) {
    const Program program = alltoall_on(network, block_B * network.ranks());
    SunkWork with, without;
    const auto recalled = one_step_range(program, network, options, with);
    const auto anew = one_step_range(program, network, kAny, without);
    ASSERT_TRUE(recalled && anew);
    EXPECT_NEAR(recalled->least_s, anew->least_s, 1e-12 * anew->least_s);
    EXPECT_NEAR(recalled->most_s, anew->most_s, 1e-12 * anew->most_s);
  }
}

TEST(OneStep, has_no_bounds_of_other_programs_or_options) {
  Rng random(6);
  const Drawn drawn(random);
  const Program program = alltoall_on(drawn.network, 1 << 20);
  SunkWork sunk;
  EXPECT_FALSE(one_step_range(program, drawn.network, {}, sunk));  // few messages
  const auto is_bounded = [&](auto&& change) {
    SimulationOptions options = kAny;
    change(options);
    return one_step_range(program, drawn.network, options, sunk).has_value();
  };
  EXPECT_FALSE(is_bounded([](auto& options) { options.release = Release::injected; }));
  EXPECT_FALSE(is_bounded([](auto& options) { options.cables = Cables::shared; }));
  EXPECT_EQ(sunk.spent, 0);
  EXPECT_FALSE(is_bounded([](auto& options) { options.most_work = 10; }));
  EXPECT_GT(sunk.counted, 10);
}

}  // namespace
}  // namespace weft::simulation
