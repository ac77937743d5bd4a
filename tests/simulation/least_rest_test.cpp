// Runs with a limit end as soon as bounds say that they take longer; bounds derived by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

// Times in microseconds: links of 1 B/us and 10 us.
constexpr LinkSpeed kSpeed{.bandwidth_Bps = 1'000'000, .latency_ps = 10'000'000};

Network network(const char* topology, const HostParameters& host = {}) {
  const Fabric fabric(make_topology(topology), kSpeed);
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing("shortest", fabric)};
}

Program program_of(ScheduleBuilder builder, std::int64_t size_B) {
  return lower(schedule::verify_own(std::move(builder).build()), {.size_B = size_B});
}

// The bound that ends a run before any message has gone.
void expect_known_at_once(const Program& program, const Network& network, double bound_us) {
  Shortcuts none{.orbits = false, .uncontended = false, .alike = false, .repeats = false};
  const SimulationResult whole = simulate_fluid(program, network, {}, none);
  EXPECT_LE(bound_us, whole.time_s * 1e6 * (1 + 1e-9));
  none.limit_s = bound_us * 1e-6 * (1 - 1e-6);
  const SimulationResult cut = simulate_fluid(program, network, {}, none);
  EXPECT_TRUE(cut.ended_early);
  EXPECT_NEAR(cut.time_s * 1e6, bound_us, 1e-6);
  none.limit_s = whole.time_s;
  const SimulationResult full = simulate_fluid(program, network, {}, none);
  EXPECT_FALSE(full.ended_early);
  EXPECT_DOUBLE_EQ(full.time_s, whole.time_s);
}

// Ranks of a line send 100 B each to the last one, whose cable needs 300 for them from 10 on, when
// its neighbour's are there. Alone, none takes longer than 3 * 10 + 100.
TEST(LeastRest, knows_what_links_still_have_to_carry) {
  ScheduleBuilder builder(schedule::gather(4, Rank(3)));
  for (std::int32_t from = 0; from < 3; ++from)
    builder.at(from).send(Agent(from), Agent(3), builder.block(from));
  expect_known_at_once(program_of(std::move(builder), 100), network("mesh:4"), 10 + 300);
}

// The root has one cable, which the three blocks of 100 B pass after 20.
TEST(LeastRest, knows_what_a_rank_sends_in_a_step) {
  ScheduleBuilder builder(schedule::scatter(4));
  for (std::int32_t to = 1; to < 4; ++to)
    builder.at(0).send(Agent(0), Agent(to), builder.block(to));
  expect_known_at_once(program_of(std::move(builder), 100), network("xgft:1;4;1"), 20 + 300);
}

// Start-ups of 50 each: the last message leaves at 150 and takes 20 and its byte 1.
TEST(LeastRest, knows_start_ups_of_earlier_messages) {
  ScheduleBuilder builder(schedule::scatter(4));
  for (std::int32_t to = 1; to < 4; ++to)
    builder.at(0).send(Agent(0), Agent(to), builder.block(to));
  expect_known_at_once(program_of(std::move(builder), 1),
                       network("xgft:1;4;1", {.startup_ps = 50'000'000}), 150 + 20 + 1);
}

// The root adds up three messages of 100 B at 0.1 B/us, which takes 3000 from when it begins.
TEST(LeastRest, knows_the_sums_of_a_step) {
  ScheduleBuilder builder(schedule::reduce(4));
  for (std::int32_t from = 1; from < 4; ++from)
    builder.at(0).send(Agent(from), Agent(0), builder.everything(), Arrival::reduce);
  expect_known_at_once(program_of(std::move(builder), 100),
                       network("xgft:1;4;1", {.reduce_bandwidth_Bps = 100'000}), 3 * 1000);
}

}  // namespace
}  // namespace weft::simulation
