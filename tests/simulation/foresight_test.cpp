// Times foreseen, against times worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/foresight.hpp"
#include "weft/simulation/reading/least_rest.hpp"
#include "weft/simulation/reading/step_ends.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr std::int64_t kSizeB = 1'000'000;
constexpr double kMessage = 1e-3;  // of kSizeB over one link

Network line_of(int nodes) {
  const Fabric fabric(make_topology("mesh:" + std::to_string(nodes)),
                      LinkSpeed{.bandwidth_Bps = 1'000'000'000, .latency_ps = 0});
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

Program chain_on(const Network& network, int calls) {
  const Collective collective{.kind = CollectiveKind::broadcast, .ranks = network.ranks()};
  return repeat(
      lower(schedule::verify_own(algorithm::build_schedule("chain", collective, &network)),
            {.size_B = kSizeB}),
      calls);
}

// Rank 1 asks for the next message once it has passed on the last one: two messages a call.
TEST(ForeseenTime, of_calls_that_repeat) {
  const Network line = line_of(3);
  const SimulationOptions options{.call = {.receives = Receives::in_step}};
  const auto [least_s, most_s] = foresee_time(chain_on(line, 1000), line, options);
  EXPECT_NEAR(least_s, 2000 * kMessage, 3e-9 * 2000 * kMessage);
  EXPECT_NEAR(most_s, 2000 * kMessage, 3e-9 * 2000 * kMessage);
  EXPECT_LE(least_s, most_s);

  StepEnds ends;
  const SimulationResult result = simulate_fluid(chain_on(line, 1000), line, options,
                                                 {.shortcuts = kFluidShortcuts, .ends = &ends});
  EXPECT_LT(ends.steps(), 2 * 10);  // of two a call
  EXPECT_NEAR(result.agent_times_s[0], 1999 * kMessage, 1e-8 * kMessage);
  EXPECT_NEAR(result.agent_times_s[2], 2000 * kMessage, 1e-8 * kMessage);
}

// Eager messages leave all at once, and share the first link: call follows call, none repeats.
TEST(ForeseenTime, of_calls_that_run_ahead) {
  const Network line = line_of(3);
  const Program program = chain_on(line, 100);
  const SimulationOptions options{.call = {.eager_B = 2 * kSizeB}};
  const auto [least_s, most_s] = foresee_time(program, line, options);
  const double time_s = simulate(program, line, options).time_s;
  EXPECT_LE(least_s, time_s);
  EXPECT_GE(most_s, time_s);
  StepEnds ends;
  simulate_fluid(program, line, options, {.shortcuts = kFluidShortcuts, .ends = &ends});
  EXPECT_EQ(ends.steps(), program.steps());
}

// One call down a chain takes as many messages as it has links.
TEST(ForeseenTime, is_exact_up_to_its_limit) {
  const Network line = line_of(5);
  const Program program = chain_on(line, 1);
  const SimulationOptions options{.call = {.receives = Receives::in_step}};
  for (const double limit_s : {4.001 * kMessage, 5 * kMessage, 1.0}) {
    const auto [least_s, most_s] = foresee_time(program, line, options, limit_s);
    EXPECT_EQ(least_s, most_s);
    EXPECT_NEAR(most_s, 4 * kMessage, 1e-12);
  }
  for (const double limit_s : {0.5 * kMessage, 3.999 * kMessage}) {
    const auto [least_s, most_s] = foresee_time(program, line, options, limit_s);
    EXPECT_GT(least_s, limit_s);
    EXPECT_TRUE(std::isinf(most_s));
  }
}

// Four messages after each other are more than 3.9 before the first has begun, and a limit that
// they keep ends nothing.
TEST(ForeseenTime, ends_where_messages_that_do_not_meet_are_beyond_the_limit) {
  const Network line = line_of(5);
  const Program program = chain_on(line, 1);
  for (const double limit : {3.9, 4.1}) {
    StepEnds ends;
    simulate_fluid(program, line, {.call = {.receives = Receives::in_step}},
                   {.limit_s = limit * kMessage, .ends = &ends});
    EXPECT_EQ(ends.steps(), limit < 4 ? 0 : program.steps());
  }
}

// From rank r of five, the message has 4 - r links to go; later by what r was late.
TEST(LeastRest, is_what_messages_take_that_do_not_meet) {
  const Network line = line_of(5);
  const Program program = chain_on(line, 1);
  const SimulationOptions options;
  StepWindow window(program, line);
  LeastRest rest(window, line, options);
  rest.enter(0, 0, 0);
  EXPECT_NEAR(rest.least_s(), 4 * kMessage, 1e-12);
  rest.enter(2, 2, 2.5 * kMessage);
  EXPECT_NEAR(rest.least_s(), 4.5 * kMessage, 1e-12);
  rest.enter(4, 4, kMessage);  // which is known to be so late
  EXPECT_NEAR(rest.least_s(), 4.5 * kMessage, 1e-12);
}

}  // namespace
}  // namespace weft::simulation
