// What a plan takes a schedule's time to be.
#include "weft/advise/plan/plan_times.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "support/network_on.hpp"
#include "weft/evaluate/candidate.hpp"

namespace weft::advise {
namespace {

using test::on;

schedule::Verified in_segments(const char* algorithm, CollectiveKind kind, const Network& network,
                               std::int64_t segments) {
  return make_candidate(algorithm::find_algorithm(algorithm), {kind, network.ranks()}, network, {})
      .verified.with_segments(segments);
}

// As the header says: two percent in many segments, and else all of it.
TEST(PlanTimes, are_those_of_simulating_all) {
  for (const char* expression :
       {"leaf-spine:leaves=4,spines=2,hosts=4", "xgft:3;2,2,4;1,2,2", "dragonfly:a=4,p=2,h=1",
        "without(cable=20, leaf-spine:leaves=4,spines=2,hosts=4)"})
    for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::reduce})
      for (const char* algorithm : {"hierarchical", "packing"})
        for (const std::int64_t segments : {2, 20, 90}) {
          SCOPED_TRACE(std::string(algorithm) + " of " + std::string(name_of(kind)) + " on " +
                       expression + " in " + std::to_string(segments));
          const Network network = on(expression);
          const schedule::Verified verified = in_segments(algorithm, kind, network, segments);
          const std::int64_t size_B = 50'021 * segments + 1;
          const double whole_s =
              simulation::simulate(lower(verified, {.size_B = size_B}), network).time_s;
          EXPECT_NEAR(time_for_plan({verified, size_B}, network, {}).time_s, whole_s,
                      whole_s * (segments == 2 ? 1e-12 : 0.02));
        }
}

// 3,000 segments of 22 KB, of which a few have far less than the 1 MiB from which sums are slow.
TEST(PlanTimes, have_the_rates_of_the_whole_buffer) {
  for (const std::int64_t large_Bps : std::vector<std::int64_t>{2'000'000'000, 40'000'000'000}) {
    const Network network = on("ring:8").with_host(
        {.copy_bandwidth_Bps = 20'000'000'000,
         .large_copies = {.from_B = 1 << 20, .bandwidth_Bps = large_Bps},
         .reduce_bandwidth_Bps = 10'000'000'000,
         .large_reductions = {.from_B = 1 << 20, .bandwidth_Bps = large_Bps}});
    const schedule::Verified verified =
        in_segments("chain", CollectiveKind::reduce, network, 3'000);
    const std::int64_t size_B = 64 << 20;
    const evaluate::ContestRun run{verified, size_B,
                                   program::plan_copies(verified, network.host())};
    const double whole_s =
        simulation::simulate(lower(verified, {.size_B = size_B, .copies = run.copies}), network)
            .time_s;
    EXPECT_NEAR(time_for_plan(run, network, {}).time_s, whole_s, 0.02 * whole_s) << large_Bps;
    simulation::SimulationOptions limited;
    limited.limit_s = 1.05 * whole_s;
    EXPECT_FALSE(time_for_plan(run, network, limited).ended_early) << large_Bps;
  }
}

// 16 segments of 4 units: 1 MB + 100 B is 15,627 times these 64 bytes and 72 more.
TEST(PlanTimes, move_sizes_to_whole_units_where_these_are_near) {
  const Network network = on("ring:4");
  schedule::ScheduleBuilder builder({CollectiveKind::broadcast, 4},
                                    {.units_per_block = 1, .segments = {.count = 16}});
  for (std::int32_t rank = 0; rank + 1 < 4; ++rank)
    for (std::int64_t block = 0; block < 4; ++block)
      builder.at(rank * 4 + block)
          .send(schedule::Agent(rank), schedule::Agent(rank + 1), builder.block(block));
  const schedule::Schedule chain = std::move(builder).build();
  EXPECT_EQ(nearest_even_B(chain, 1'000'100), 1'000'128);
  EXPECT_EQ(nearest_even_B(chain, 1'000'000), 1'000'000);
  // Not by more than one part in 1,000; but segments of as many bytes are near enough.
  EXPECT_EQ(nearest_even_B(chain, 20'030), 20'032);
  EXPECT_EQ(nearest_even_B(chain, 2'015), 2'016);
  EXPECT_EQ(nearest_even_B(chain, 2'005), 2'005);
  EXPECT_EQ(nearest_even_B(chain.with_segments({.count = 15}), 1'000'100), 1'000'100);
}

}  // namespace
}  // namespace weft::advise
