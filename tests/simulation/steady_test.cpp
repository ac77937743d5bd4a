// What a few segments tell of many.
#include "weft/simulation/steady.hpp"

#include <gtest/gtest.h>

#include "support/judges/every_cut.hpp"
#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"

namespace weft::simulation {
namespace {

using schedule::Agent;
using schedule::Verified;
using test::on;

constexpr std::int64_t kSegment_B = 60'000;

Verified pipelined(const char* algorithm, CollectiveKind kind, const Network& network,
                   std::int64_t segments) {
  const schedule::Schedule made =
      algorithm::build_schedule(algorithm, {kind, network.ranks()}, &network);
  return schedule::verify_own(made, &network.topology()).with_segments(segments);
}

// Ranks 0 and 1 send to rank 2 over one cable of 12.5 GB/s in each of the steps, one a segment:
// after the latency of two links all bytes of both go over it, 2 us and 2 * 60,000 bytes a segment.
// Rank 2 reduces them as fast, and while it does so the next ones arrive: the last ones add 2 *
// 60,000 bytes. Without reductions a formula would tell the time.
TEST(Steady, grows_by_what_a_segment_takes) {
  const Fabric fabric(build_topology("leaf-spine:leaves=1,spines=1,hosts=3"));
  const Network network(fabric, topology::place(fabric.topology(), {}),
                        {.reduce_bandwidth_Bps = 12'500'000'000}, make_routing("shortest", fabric));
  schedule::ScheduleBuilder builder({CollectiveKind::reduce, 3, schedule::Rank(2)},
                                    {.algorithm = "both", .segments = {.count = 200}});
  for (const std::int32_t from : {0, 1})
    builder.at(0).send(Agent(from), Agent(2), builder.everything(), schedule::Arrival::reduce);
  const Verified verified = schedule::verify_own(std::move(builder).build(), &network.topology());
  const auto seen = steady_time(verified, {.size_B = 200 * kSegment_B}, network, {},
                                fewest_steady(verified.schedule()))
                        .time;
  ASSERT_TRUE(seen.has_value());
  EXPECT_NEAR(seen->time_s, 200 * (2e-6 + 9.6e-6) + 9.6e-6, 1e-9);
  EXPECT_NEAR(seen->spread_s, 0, 1e-9);
}

// To two percent, where the two spans differ by less than a tenth of one.
TEST(Steady, tells_what_simulating_all_segments_does) {
  int told = 0;
  for (const char* expression :
       {"leaf-spine:leaves=4,spines=2,hosts=4", "xgft:3;2,2,4;1,2,2", "dragonfly:a=4,p=2,h=1",
        "rail:boxes=4,gpus=4,spines=2", "2dfc:3x3"})
    for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::reduce})
      for (const char* algorithm : {"hierarchical", "packing"}) {
        SCOPED_TRACE(std::string(algorithm) + " of " + std::string(name_of(kind)) + " on " +
                     expression);
        const Network network = on(expression);
        if (algorithm::misfit(algorithm::find_algorithm(algorithm),
                              {{kind, network.ranks()}, &network, {}}))
          continue;
        const Verified verified = pipelined(algorithm, kind, network, 120);
        const program::LowerOptions lowering{.size_B = 120 * kSegment_B};
        const auto seen =
            steady_time(verified, lowering, network, {}, fewest_steady(verified.schedule())).time;
        if (!seen || seen->spread_s > seen->time_s * 5e-4) continue;
        ++told;
        const double whole_s = simulate(lower(verified, lowering), network).time_s;
        EXPECT_NEAR(seen->time_s, whole_s, whole_s * 0.02);
      }
  EXPECT_GE(told, 5);
}

// A fast chain of links, and beside it a link that is slower: of few segments the chain's end is
// last, of many the slow link's. Cables of random speeds have such branches, and senders that go on
// at once leave them behind.
TEST(Steady, tells_of_branches_that_fall_behind_later) {
  Rng rng(20);
  int told = 0;
  for (int round = 0; round < test::samples(150); ++round) {
    SCOPED_TRACE(round);
    const Fabric fabric = test::random_fabric(rng, test::Directions::alike);
    HostParameters host;
    if (rng.below(2) == 0) host.reduce_bandwidth_Bps = (1 + rng.below(20)) * 1'000'000'000;
    if (rng.below(2) == 0) host.ports = 1;
    if (rng.below(2) == 0) host.startup_receive_ps = 1'000'000;
    if (rng.below(2) == 0) host.first_touch = {1, 3'000'000'000};
    if (rng.below(2) == 0) host.launch_ps = 50'000'000;
    const SimulationOptions options{.release =
                                        rng.below(2) == 0 ? Release::injected : Release::delivered};
    const CollectiveKind kind =
        rng.below(2) == 0 ? CollectiveKind::broadcast : CollectiveKind::reduce;
    const char* algorithm = rng.below(2) == 0 ? "packing" : "chain";
    constexpr std::int64_t kSegments = 500;
    try {
      const Network network(fabric, topology::place(fabric.topology(), {}), host,
                            make_routing("shortest", fabric));
      if (network.ranks() < 3) continue;
      const Verified verified = pipelined(algorithm, kind, network, kSegments);
      const program::LowerOptions lowering{.size_B = kSegments * kSegment_B};
      const auto seen =
          steady_time(verified, lowering, network, options, fewest_steady(verified.schedule()))
              .time;
      if (!seen || seen->spread_s > seen->time_s * 5e-4) continue;
      ++told;
      const double whole_s = simulate(lower(verified, lowering), network, options).time_s;
      EXPECT_NEAR(seen->time_s, whole_s, whole_s * 0.02);
    } catch (const InvalidInput&) {
      continue;  // parts of it do not reach each other
    }
  }
  EXPECT_GE(told, test::samples(20));
}

TEST(Steady, tells_nothing_of_what_it_has_not_seen) {
  const Network network = on("leaf-spine:leaves=4,spines=2,hosts=4");
  const Verified verified = pipelined("packing", CollectiveKind::reduce, network, 120);
  const program::LowerOptions lowering{.size_B = 120 * kSegment_B};
  const std::int64_t fewest = fewest_steady(verified.schedule());
  EXPECT_TRUE(steady_time(verified, lowering, network, {}, fewest).time);
  EXPECT_FALSE(steady_time(verified, lowering, network, {}, fewest - 1).time);
  EXPECT_FALSE(steady_time(verified, lowering, network, {}, 120).time);
  EXPECT_FALSE(steady_time(verified, lowering, network, {.sync = Sync::dataflow}, fewest).time);
  EXPECT_FALSE(steady_time(verified, lowering, network, {.model = Model::alpha_beta}, fewest).time);
  // A run that is cut short tells no time, and took its work all the same.
  SteadyRun run = steady_time(verified, lowering, network, {}, fewest);
  const std::int64_t whole = run.work;
  for (std::int64_t most = whole * 9 / 10; run.time && most > 0; most = most * 9 / 10)
    run = steady_time(verified, lowering, network, {.most_work = most}, fewest);
  EXPECT_FALSE(run.time);
  EXPECT_GT(run.work, 0);
  EXPECT_LE(run.work, whole);
}

}  // namespace
}  // namespace weft::simulation
