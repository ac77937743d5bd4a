// Breadth-first steps whose links start at different times: linear program (14) of Zhao et al., by
// hand on four nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "weft/algorithm/bfb/plan.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using enum CollectiveKind;

/// Two cables a node, one in each dimension, of 1 GB/s: a block of 1,000 bytes takes 1 us.
Fabric square(std::int64_t x_ns, std::int64_t y_ns) {
  LinkOptions links;
  topology::parse_link_option("x=1GBps," + std::to_string(x_ns) + "ns", links);
  topology::parse_link_option("y=1GBps," + std::to_string(y_ns) + "ns", links);
  return Fabric(build_topology("torus:2x2"), links);
}

Network network_on(const Fabric& fabric) {
  return {fabric,
          topology::place(fabric.topology(), {}),
          {},
          network::make_routing("shortest", fabric)};
}

/// The least times of the steps of blocks of options.block_B that may be cut at will: the optimum
/// of linear program (14) with the links that are used, each step as long as its slowest. Those of
/// a reduce-scatter first in an allreduce.
std::vector<Rational> step_times_ps(const Fabric& fabric, CollectiveKind kind,
                                    const BfbOptions& options) {
  std::vector<Rational> times;
  for (const bfb::Pass& pass : bfb::make_plan(fabric, kind, options).passes) {
    const auto first = times.insert(times.end(), pass.exact.begin(), pass.exact.end());
    if (pass.arcs.sense() == bfb::Sense::against) std::reverse(first, times.end());
  }
  return times;
}

/// As fluids with a barrier after each step.
double time_s(const Fabric& fabric, CollectiveKind kind, const BfbOptions& options) {
  const Program program =
      lower(schedule::verify_own(bfb_schedule(fabric, kind, options), &fabric.topology()),
            {.size_B = kind == allgather ? 1'000 : 4'000});
  return simulate(program, network_on(fabric), {.sync = simulation::Sync::lockstep}).time_s;
}

// Step 1: a block over each link, 1.5 us over the slower one. Step 2: of the opposite block the
// share s goes over x, 0.1 us + s us = 0.5 us + (1 - s) us, so that s is 0.7.
TEST(BfbLatency, slow_links_take_less) {
  const Fabric fabric = square(100, 500);
  const BfbOptions options{.block_B = 1'000};
  EXPECT_EQ(step_times_ps(fabric, allgather, options), (std::vector<Rational>{1'500'000, 800'000}));
  EXPECT_NEAR(time_s(fabric, allgather, options), 2.3e-6, 1e-15);
  EXPECT_NEAR(time_s(fabric, allgather, {}), 2.5e-6, 1e-15);  // 0.5 us + 1/2 us in step 2
}

// A reduce-scatter is the same backwards, an allreduce both.
TEST(BfbLatency, reductions_go_backwards) {
  const Fabric fabric = square(100, 500);
  const BfbOptions options{.block_B = 1'000};
  EXPECT_EQ(step_times_ps(fabric, reduce_scatter, options),
            (std::vector<Rational>{800'000, 1'500'000}));
  EXPECT_EQ(step_times_ps(fabric, allreduce, options),
            (std::vector<Rational>{800'000, 1'500'000, 1'500'000, 800'000}));
  EXPECT_NEAR(time_s(fabric, reduce_scatter, options), 2.3e-6, 1e-15);
  EXPECT_NEAR(time_s(fabric, allreduce, options), 4.6e-6, 1e-15);
}

// y starts when x could be done: nothing of the opposite block goes over it, and its start is not
// paid for. A node's neighbours have but one way.
TEST(BfbLatency, slow_links_are_left_out) {
  const Fabric fabric = square(100, 5'000);
  const BfbOptions options{.block_B = 1'000};
  EXPECT_EQ(step_times_ps(fabric, allgather, options),
            (std::vector<Rational>{6'000'000, 1'100'000}));
  EXPECT_NEAR(time_s(fabric, allgather, options), 7.1e-6, 1e-15);
  EXPECT_NEAR(time_s(fabric, allgather, {}), 6e-6 + 5.5e-6, 1e-15);
  const auto verified =
      schedule::verify(bfb_schedule(fabric, allgather, options), &fabric.topology());
  ASSERT_TRUE(verified);
  EXPECT_EQ(schedule::cost(*verified, network_on(fabric)).messages, 8 + 4);
}

// In whole blocks all of it goes over x: half of M/B, a block of four on one link of two.
TEST(BfbLatency, takes_chunks) {
  const Fabric fabric = square(100, 500);
  const auto verified = schedule::verify(
      bfb_schedule(fabric, allgather, {.chunks = Chunks{1, false}, .block_B = 1'000}),
      &fabric.topology());
  ASSERT_TRUE(verified);
  const Cost cost = schedule::cost(*verified, network_on(fabric));
  EXPECT_EQ(cost.step_factors, (std::vector<Rational>{{1, 2}, {1, 2}}));
  EXPECT_EQ(verified->schedule().units_per_block(), 1);
}

// Where all links start alike only loads count, whatever the block.
TEST(BfbLatency, equal_latencies_change_nothing) {
  for (const char* expression : {"torus:3x4", "genkautz:4,13", "mesh:3x3"}) {
    const Fabric fabric(build_topology(expression));
    const auto verified =
        schedule::verify(bfb_schedule(fabric, allgather, {.block_B = 12'500}), &fabric.topology());
    ASSERT_TRUE(verified) << expression;
    const BfbCost plain = bfb_cost(fabric, allgather);
    EXPECT_EQ(schedule::cost(*verified, network_on(fabric)).step_factors, plain.step_factors)
        << expression;
    // 100 Gb/s: 1 us to start, 1 us a block.
    const auto times = step_times_ps(fabric, allgather, {.block_B = 12'500});
    const Rational blocks(fabric.topology().node_count(), fabric.topology().nominal_degree());
    for (std::size_t t = 0; t < times.size(); ++t)
      EXPECT_EQ(times[t], 1'000'000 + plain.step_factors[t] * blocks * 1'000'000) << expression;
  }
}

TEST(BfbLatency, refuses_no_bytes) {
  EXPECT_THROW(bfb_schedule(square(100, 500), allgather, {.block_B = 0}), InvalidInput);
}

}  // namespace
}  // namespace weft::algorithm
