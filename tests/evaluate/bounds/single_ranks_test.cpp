// Lower bounds of messages that meet no other rank's, with what processors do; derived by hand.
#include "weft/evaluate/bounds/single_ranks.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/topology/registry.hpp"

namespace weft::evaluate {
namespace {

// Times in microseconds: links of 1 B/us and 10 us; a start-up takes 5 us. Two links lead from each
// host to each other one.
constexpr LinkSpeed kSpeed{.bandwidth_Bps = 1'000'000, .latency_ps = 10'000'000};
constexpr std::int64_t kAlpha_ps = 5'000'000;

Network star(const HostParameters& host) {
  const Fabric fabric(make_topology("xgft:1;4;1"), kSpeed);
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing("shortest", fabric)};
}

program::Program program_of(schedule::ScheduleBuilder builder, std::int64_t size_B) {
  return lower(schedule::verify_own(std::move(builder).build()), {.size_B = size_B});
}

program::Program scatter_of_three(std::int64_t size_B) {
  schedule::ScheduleBuilder builder(schedule::scatter(4));
  for (std::int32_t to = 1; to < 4; ++to)
    builder.at(0).send(schedule::Agent(0), schedule::Agent(to), builder.block(to));
  return program_of(std::move(builder), size_B);
}

program::Program reduce_of_three(std::int64_t size_B) {
  schedule::ScheduleBuilder builder(schedule::reduce(4));
  for (std::int32_t from = 1; from < 4; ++from)
    builder.at(0).send(schedule::Agent(from), schedule::Agent(0), builder.everything(),
                       schedule::Arrival::reduce);
  return program_of(std::move(builder), size_B);
}

double bound_us(const program::Program& program, const HostParameters& host,
                SingleRankWays ways = SingleRankWays::routed) {
  return single_ranks_time(program, star(host), ways).time_s * 1e6;
}

// The messages start at 5, 10 and 15. The last one takes 20 and its byte 1.
TEST(SingleRanks, pay_start_ups_one_after_the_other) {
  EXPECT_NEAR(bound_us(scatter_of_three(1), {.startup_ps = kAlpha_ps}), 15 + 20 + 1, 1e-6);
}

// Each starts at 5, and 20 later they share the root's link.
TEST(SingleRanks, pay_start_ups_of_a_step_at_once) {
  const HostParameters host{.startup_ps = kAlpha_ps, .startup_per = StartupPer::step};
  EXPECT_NEAR(bound_us(scatter_of_three(1), host), 5 + 20 + 3, 1e-6);
}

// Over one link there are 10 of latency. It is as wide as the switch's four links to the hosts.
TEST(SingleRanks, pay_start_ups_over_one_link) {
  EXPECT_NEAR(bound_us(scatter_of_three(1), {.startup_ps = kAlpha_ps}, SingleRankWays::one_link),
              15 + 10 + 0.25, 1e-6);
}

// Messages of 6 B are there at 26 if each has the root's link to itself, and the root sums each in
// 12, at 0.5 B/us.
TEST(SingleRanks, sum_one_message_after_the_other) {
  EXPECT_NEAR(bound_us(reduce_of_three(6), {.reduce_bandwidth_Bps = 500'000}), 20 + 6 + 3 * 12,
              1e-6);
}

// All 18 B pass the root's link by 38, and what comes last is still to be summed in 3.
TEST(SingleRanks, sum_what_comes_last_after_it_came) {
  EXPECT_NEAR(bound_us(reduce_of_three(6), {.reduce_bandwidth_Bps = 2'000'000}), 20 + 18 + 3, 1e-6);
}

// A bound holds at larger sizes, too, where the processor may be faster.
TEST(SingleRanks, count_the_faster_of_two_bandwidths_of_sums) {
  const HostParameters host{.reduce_bandwidth_Bps = 500'000,
                            .large_reductions = {.from_B = 1 << 20, .bandwidth_Bps = 2'000'000}};
  EXPECT_NEAR(bound_us(reduce_of_three(6), host), 20 + 18 + 3, 1e-6);
}

// What each message waits for in adapters and for its handshake.
TEST(SingleRanks, wait_for_adapters_and_handshakes) {
  const HostParameters host{.latency_ps = 2'000'000,
                            .rendezvous = {.from_B = 6, .time_ps = 7'000'000}};
  EXPECT_NEAR(bound_us(scatter_of_three(5), host), 2 + 20 + 15, 1e-6);
  EXPECT_NEAR(bound_us(scatter_of_three(6), host), 2 + 7 + 20 + 18, 1e-6);
}

}  // namespace
}  // namespace weft::evaluate
