// The ingress bound beside TACOS's golden times, and how far above it BFB's whole chunks stay.
#include <gtest/gtest.h>

#include "support/printed_times.hpp"
#include "support/process/source_dir.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/search/synthesis.hpp"
#include "weft/search/synthesis/bounds.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

using support::kPrintedLatency_us;
using support::PrintedTime;

constexpr double kPrintedDigits_us = 0.005;

Network network_of(const std::string& expression) {
  const Fabric fabric(build_topology(expression));
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric, 1)};
}

TEST(IngressBound, equals_the_golden_times_of_tacos) {
  for (const PrintedTime& line : support::kPrintedTimes) {
    const Instance instance = make_instance(network_of(line.topology), graph::Sense::along);
    const Rational least = cut_bound(instance);
    EXPECT_EQ(least, line.least_rounds);
    const Rational chunks = least * line.chunks;
    const auto rounds =
        (chunks.numerator() + chunks.denominator() - 1) / chunks.denominator();  // whole chunks
    const double time_us =
        static_cast<double>(rounds) * (kPrintedLatency_us + support::chunk_time_us(line));
    EXPECT_NEAR(time_us, line.time_us, kPrintedDigits_us) << line.topology;
  }
}

struct Reached {
  const PrintedTime& line;
  int chunks;
  double time_us;  // steps * latency + rounds * chunk time
};

// The alpha-beta model: a step pays the latency once, however many chunks a message has.
double bfb_time_us(const Reached& reached) {
  const BfbCost cost =
      bfb_cost(build_topology(reached.line.topology).topology, CollectiveKind::allgather,
               {.chunks = algorithm::Chunks{reached.chunks}});
  const int degree = build_topology(reached.line.topology).topology.nominal_degree();
  const double whole_us = 1e6 * reached.line.gibibytes / (50.0 * degree);  // M / B
  return static_cast<double>(cost.steps) * kPrintedLatency_us +
         cost.bandwidth_factor.to_double() * whole_us;
}

// mesh:5x5: T_L 8; T_B 56/25 with one chunk, 2 with two, its optimum: 4.1 % above the golden time.
// torus:3x4x5: T_L 5; 21/20 with two chunks, 4.9 % above; 59/60 with six, 1.8 % below.
TEST(IngressBound, is_not_reached_by_breadth_first_schedules_of_few_chunks) {
  const PrintedTime &mesh = support::kPrintedTimes[0], &torus = support::kPrintedTimes[1];
  for (const Reached& reached : {Reached{mesh, 1, 11204.00}, Reached{mesh, 2, 10004.00},
                                 Reached{torus, 2, 7002.50}, Reached{torus, 6, 6558.06}})
    EXPECT_NEAR(bfb_time_us(reached), reached.time_us, kPrintedDigits_us);
}

// Twelve rounds of one chunk, as many as there are golden chunk times, in the fewest steps.
TEST(IngressBound, is_reached_by_synthesis_on_the_mesh) {
  const Network network = network_of("mesh:5x5");
  const Synthesis found = synthesize(schedule::allgather(25), network,
                                     {.max_chunks = 1, .max_steps = 8, .time_limit_s = 300});
  ASSERT_EQ(found.pareto.size(), 1u);
  EXPECT_EQ(found.pareto[0].steps, 8);
  EXPECT_EQ(found.pareto[0].rounds, 12);
  EXPECT_EQ(found.pareto[0].proof, Proof::any_chunks);
  const auto proven = schedule::verify_own(found.pareto[0].schedule, &network.topology());
  EXPECT_EQ(schedule::cost(proven, network).bandwidth_factor, Rational(48, 25));
}

// Cai et al. (SCCL): two steps of a DGX-1 need 3 rounds for 2 chunks, T_B = 6/8 * 3/2 = 9/8 with
// six NVLinks a GPU. Breadth first does as well; it takes no third step, by which 7/8 is reached.
TEST(Dgx1, breadth_first_is_the_printed_schedule_of_least_steps) {
  const Fabric fabric(build_topology("file:" + test::source_dir() + "/examples/dgx1.edges"));
  const BfbCost cost = bfb_cost(fabric);
  EXPECT_EQ(cost.steps, 2);
  EXPECT_EQ(cost.bandwidth_factor, Rational(9, 8));
  EXPECT_EQ(cost.chunks, 2);
}

}  // namespace
}  // namespace weft::search
