#include "weft/advise/schedule/schedule_question.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/fields/members.hpp"
#include "weft/topology/registry.hpp"

namespace weft::advise {
namespace {

Network network_of(const std::string& topology) {
  NetworkSpec spec;
  spec.topology = topology;
  return fields::make_network(spec, build_topology(topology), {});
}

// A chain of 4 nodes with two links each: 3 steps over one of them in one segment, T_B 2 * 3; in 64
// segments 3 + 63 steps of a 64th.
TEST(ScheduleQuestion, advises_segments_where_nobody_named_any) {
  const Network network = network_of("ring:4");
  const Collective collective = schedule::broadcast(4, schedule::Rank(0));
  ScheduleQuestion asked{.algorithm = "chain"};
  const auto found = answer(asked, collective, network);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(schedule::cost(found->verified, network).bandwidth_factor, Rational(6));
  const auto advice = pipeline_advice(asked, found->verified, network);
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ(advice->segments, 64);
  EXPECT_EQ(advice->cost.steps, 66);
  EXPECT_EQ(advice->cost.bandwidth_factor, Rational(2 * 66, 64));
  EXPECT_FALSE(advice->depth) << "a chain has no trees to look for";
  asked.size_B = 1 << 20;
  EXPECT_FALSE(pipeline_advice(asked, found->verified, network)) << "its size chose them";
  asked = {.algorithm = "chain", .time_limit_s = 10};
  EXPECT_FALSE(pipeline_advice(asked, found->verified, network)) << "no time for another";
}

// A corner's two links bring what five others send: T_B* is 5/6 * 3/2 of M/B, B being three links.
// One tree of each rank cannot part them evenly.
TEST(ScheduleQuestion, says_what_few_trees_come_to) {
  const Network network = network_of("mesh:2x3");
  const Collective collective = schedule::allgather(6);
  const ScheduleQuestion few{.algorithm = "packing", .options = {.values = {{"trees", 1}}}};
  const auto found = answer(few, collective, network);
  const TreeFacts facts = tree_facts(few, found->verified, network);
  EXPECT_FALSE(facts.halves_joined) << "of an allreduce alone";
  ASSERT_TRUE(facts.limit.has_value());
  EXPECT_EQ(facts.limit->optimum, Rational(5, 4));
  EXPECT_GT(facts.limit->bandwidth_factor, facts.limit->optimum);
  EXPECT_EQ(facts.limit->least_of, 1);
  const ScheduleQuestion ring{.algorithm = "ring"};
  const TreeFacts none = tree_facts(ring, answer(ring, collective, network)->verified, network);
  EXPECT_FALSE(none.halves_joined || none.depth || none.limit) << "a ring packs no trees";
}

TEST(ScheduleQuestion, knows_halves_and_depths) {
  const Network network = network_of("torus:3x3");
  const ScheduleQuestion asked{.algorithm = "packing", .options = {.values = {{"depth", 4}}}};
  const Collective collective = schedule::allreduce(9);
  const auto found = answer(asked, collective, network);
  const TreeFacts facts = tree_facts(asked, found->verified, network);
  ASSERT_TRUE(facts.halves_joined && facts.depth);
  EXPECT_LE(facts.depth->links, 2 * 4);
  EXPECT_EQ(facts.depth->optimum, Rational(16, 9)) << "2 (N - 1) / N";
  EXPECT_FALSE(facts.limit);
}

TEST(ScheduleQuestion, knows_which_schedules_depend_on_the_size) {
  EXPECT_FALSE(depends_on_size({.algorithm = "bruck"}));
  EXPECT_TRUE(depends_on_size({.algorithm = "chain"}));
}

}  // namespace
}  // namespace weft::advise
