// Where breadth-first allgathers miss the bound, other schedules do not: the exceptions to
// Conjecture 1 of Zhao et al. and a torus of few chunks.
#include <gtest/gtest.h>

#include <chrono>

#include "support/circulants.hpp"
#include "support/printed_times.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/search/synthesis.hpp"
#include "weft/search/synthesis/bounds.hpp"
#include "weft/topology/families/circulant.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

Network network_of(const Topology& topology) {
  const Fabric fabric(topology, LinkSpeed{});
  return {fabric, topology::place(topology, {}), {}, make_routing("shortest", fabric, 1)};
}

// No set of nodes stands against (N-1)/N: enough chunks and steps reach it (Edmonds' branchings).
TEST(BeyondBfb, no_cut_explains_the_exceptions_of_degree_6) {
  int exceptions = 0;
  for (int n = 15; n <= 60; ++n)
    for (const auto& jumps : support::circulant_jumps(n, 3)) {
      const Topology topology = topology::circulant(n, jumps);
      if (algorithm::bfb_cost(topology).exact_bandwidth_factor == Rational(n - 1, n)) continue;
      EXPECT_EQ(cut_bound(make_instance(network_of(topology), graph::Sense::along)),
                Rational(n - 1, 6))
          << topology.name();
      ++exceptions;
    }
  EXPECT_EQ(exceptions, 150);
}

// Two steps, the diameter: T_B = 6/15 * 5/2 = 1 at least, in any schedule.
TEST(BeyondBfb, two_steps_are_too_few_on_the_smallest_exceptions) {
  for (const std::vector<int>& jumps : {std::vector<int>{1, 4, 5}, {1, 5, 6}}) {
    const Instance instance =
        make_instance(network_of(topology::circulant(15, jumps)), graph::Sense::along);
    const StepBound bound = step_bound(instance, 2, Clock::time_point::max());
    EXPECT_TRUE(bound.relaxed_fully);
    EXPECT_EQ(bound.rounds, Rational(5, 2));
  }
}

struct Case {
  const char* topology;
  int nodes, chunks, steps, rounds;
  double limit_s = 300;
};

// Chunk counts that make (N-1) chunks / 6 whole, but for the torus. There the relaxation, whose
// bound is of no use, takes its third of the time.
TEST(BeyondBfb, other_schedules_reach_the_bound_of_whole_chunks) {
  for (const Case& each : {Case{"circulant:15,1,4,5", 15, 3, 3, 7},
                           {"circulant:15,1,5,6", 15, 3, 3, 7},
                           {"circulant:18,1,5,6", 18, 6, 3, 17},
                           {"circulant:21,1,6,7", 21, 3, 3, 10},
                           {"circulant:21,1,7,8", 21, 3, 3, 10},
                           {"torus:3x4x5", 60, 2, 5, 20, 60}}) {  // TACOS's golden 20 chunk times
    SCOPED_TRACE(each.topology);
    const Network network = network_of(build_topology(each.topology).topology);
    const Synthesis found = synthesize(schedule::allgather(each.nodes), network,
                                       {.min_chunks = each.chunks,
                                        .max_chunks = each.chunks,
                                        .min_steps = each.steps,
                                        .max_steps = each.steps,
                                        .time_limit_s = each.limit_s});
    ASSERT_EQ(found.pareto.size(), 1u);
    EXPECT_EQ(found.pareto[0].rounds, each.rounds);
    const auto proven = schedule::verify_own(found.pareto[0].schedule, &network.topology());
    const schedule::Cost cost = schedule::cost(proven, network);
    EXPECT_EQ(cost.steps, each.steps);
    EXPECT_EQ(cost.bandwidth_factor, Rational(6 * each.rounds, each.nodes * each.chunks));
  }
}

}  // namespace
}  // namespace weft::search
