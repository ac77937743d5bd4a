#include "weft/evaluate/step_bound.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::evaluate {
namespace {

StepBound bound_of(const std::string& name, const Collective& collective, const Network& network) {
  const Schedule schedule = algorithm::build_schedule(name, collective, &network);
  return step_bound(schedule, network, lower_bounds(collective, network).steps);
}

// 32 ranks behind leaves and spines, four links apart. By Bruck a rank has one message in a step,
// so that what it knows doubles: 5 steps. By spread it has 31 at once: 1.
TEST(StepBound, counts_the_messages_that_a_rank_has_at_once) {
  const Network tree = test::on("xgft:2;8,4;1,4", {}, "auto");
  const Collective all_to_all{CollectiveKind::alltoall, 32};
  const StepBound bruck = bound_of("bruck", all_to_all, tree);
  EXPECT_EQ(bruck.steps, 5);
  EXPECT_EQ(bruck.at_once, 1);
  EXPECT_FALSE(bruck.one_link);
  const StepBound spread = bound_of("spread", all_to_all, tree);
  EXPECT_EQ(spread.steps, 1);
  EXPECT_EQ(spread.at_once, 31);
}

// A ring's messages cross one link each: the diameter, 8, is more than log2 of 16.
TEST(StepBound, is_the_diameter_where_messages_cross_one_link) {
  const Network ring = test::on("ring:16");
  const StepBound bound = bound_of("bfb", schedule::allgather(16), ring);
  EXPECT_EQ(bound.steps, 8);
  EXPECT_TRUE(bound.one_link);
}

// No algorithm takes fewer steps than its bound says, and some take as many.
TEST(StepBound, is_below_the_steps_of_every_algorithm) {
  int tight = 0;
  for (const char* expression : {"xgft:2;4,3;1,2", "torus:3x4", "hypercube:3",
                                 "dragonfly:a=2,p=2,h=1", "kautz:2,2", "hosts(2,ring:5)"})
    for (const CollectiveKind kind :
         {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
          CollectiveKind::gather, CollectiveKind::allgather, CollectiveKind::reduce_scatter,
          CollectiveKind::allreduce, CollectiveKind::alltoall}) {
      const Network network = test::on(expression, {}, "auto");
      const Collective collective{.kind = kind, .ranks = network.ranks(), .root = Rank(0)};
      const std::int64_t links = lower_bounds(collective, network).steps;
      for (const algorithm::Algorithm* each : algorithm::applicable(collective, &network, {})) {
        const Schedule schedule = algorithm::build_schedule(each->name, collective, &network);
        const StepBound bound = step_bound(schedule, network, links);
        EXPECT_LE(bound.steps, schedule.steps()) << each->name << " on " << expression;
        EXPECT_GE(bound.steps, 1) << each->name << " on " << expression;
        tight += bound.steps == schedule.steps() ? 1 : 0;
      }
    }
  EXPECT_GT(tight, 40);
}

}  // namespace
}  // namespace weft::evaluate
