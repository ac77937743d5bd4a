// BFB on random networks, irregular, with loops, parallel links and unequal bandwidths.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/graphs.hpp"
#include "support/judges/naive_bfb.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/base/parallel.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

using enum CollectiveKind;
using support::Ends;

constexpr int kTrials = 150;

int below(Rng& rng, int bound) {
  return static_cast<int>(rng.below(bound));
}

// A one-way ring through all nodes, so that it is strongly connected, and random links beside.
Topology random_network(int nodes, int extra, Rng& rng) {
  std::vector<Ends> arcs;
  for (int u = 0; u < nodes; ++u) arcs.emplace_back(u, (u + 1) % nodes);
  for (int i = 0; i < extra; ++i) arcs.emplace_back(below(rng, nodes), below(rng, nodes));
  return support::from_arcs(nodes, arcs);
}

Fabric with_random_speeds(const Topology& topology, Rng& rng) {
  topology::FileSpeeds speeds;
  for (std::int32_t l = 0; l < topology.link_count(); ++l)
    speeds.bandwidth_Bps.emplace_back(1000 * (1 + rng.below(4)));
  return Fabric(topology::BuiltTopology{topology, speeds});
}

Network network_on(const Fabric& fabric) {
  return {fabric,
          topology::place(fabric.topology(), {}),
          {},
          network::make_routing("shortest", fabric)};
}

Cost proven_cost(const Fabric& fabric, CollectiveKind kind, const BfbOptions& options) {
  const Schedule schedule = bfb_schedule(fabric, kind, options);
  const auto verified = schedule::verify(schedule, &fabric.topology());
  EXPECT_TRUE(verified) << verified.fault().text;
  return schedule::cost(*verified, network_on(fabric));
}

TEST(BfbProperty, optimum_is_that_of_all_sets_of_links) {
  for (int seed = 0; seed < kTrials; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(static_cast<std::uint64_t>(seed));
    const int nodes = 2 + below(rng, 12);
    const Topology topology = random_network(nodes, below(rng, 4 * nodes), rng);
    const Fabric alike(topology, LinkSpeed{}), unequal = with_random_speeds(topology, rng);
    for (const Fabric& fabric : {alike, unequal})
      ASSERT_EQ(bfb_cost(fabric).exact_bandwidth_factor, support::naive_bfb_factor(fabric));
  }
}

// In-degrees of 9 to 14: beyond the tables of all subsets, where flows find the worst set.
TEST(BfbProperty, flows_find_the_worst_set_at_larger_degrees) {
  for (int seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(static_cast<std::uint64_t>(seed));
    const Topology topology = support::random_permutations(24, 10 + 2 * (seed % 2), rng);
    bool connected = true;
    for (const auto& row : support::naive_distances(topology))
      for (const std::int32_t distance : row) connected = connected && distance < support::kFar;
    if (!connected) continue;
    const Fabric fabric(topology, LinkSpeed{});
    ASSERT_EQ(bfb_cost(fabric).exact_bandwidth_factor, support::naive_bfb_factor(fabric));
  }
}

TEST(BfbProperty, schedules_are_right_and_cost_what_was_foretold) {
  for (int seed = 0; seed < kTrials; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(static_cast<std::uint64_t>(seed) + 1000);
    const int nodes = 2 + below(rng, 10);
    const Topology topology = random_network(nodes, below(rng, 3 * nodes), rng);
    const Fabric fabric =
        seed % 2 == 0 ? Fabric(topology, LinkSpeed{}) : with_random_speeds(topology, rng);
    BfbOptions options;
    if (seed % 3 == 1) options.chunks = Chunks{1 + rng.below(5)};
    if (seed % 3 == 2) options.chunks = Chunks{1 + rng.below(5), true};
    for (const CollectiveKind kind : {allgather, reduce_scatter, allreduce}) {
      const BfbCost estimated = bfb_cost(fabric, kind, options);
      const Cost cost = proven_cost(fabric, kind, options);
      ASSERT_EQ(cost.bandwidth_factor, estimated.bandwidth_factor);
      ASSERT_EQ(cost.step_factors, estimated.step_factors);
      ASSERT_EQ(cost.steps, estimated.steps);
      ASSERT_GE(cost.bandwidth_factor, estimated.exact_bandwidth_factor);
      if (!options.chunks) {
        ASSERT_EQ(cost.bandwidth_factor, estimated.exact_bandwidth_factor);
      }
    }
  }
}

// Theorem 20: P chunks cost at most d (d^D - 1) / ((d - 1) P N) more than the optimum.
TEST(BfbProperty, chunks_cost_no_more_than_theorem_20_allows) {
  for (int seed = 0; seed < kTrials; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(static_cast<std::uint64_t>(seed) + 2000);
    const std::int64_t nodes = 4 + rng.below(12), chunks = 1 + rng.below(8);
    const Topology topology = support::random_permutations(static_cast<int>(nodes), 4, rng);
    if (topology.nominal_degree() != 4) continue;
    BfbCost cost;
    try {
      cost = bfb_cost(topology, allgather, {.chunks = Chunks{chunks}});
    } catch (const std::runtime_error&) {
      continue;  // not connected
    }
    std::int64_t power = 1;
    for (std::int64_t t = 0; t < cost.steps; ++t) power *= 4;
    EXPECT_LE(cost.bandwidth_factor,
              cost.exact_bandwidth_factor + Rational(4 * (power - 1), 3 * chunks * nodes));
  }
}

TEST(BfbProperty, results_do_not_depend_on_threads) {
  Rng rng(7);
  const Fabric fabric = with_random_speeds(random_network(40, 90, rng), rng);
  set_threads(1);
  const Schedule alone = bfb_schedule(fabric, allreduce);
  set_threads(4);
  const Schedule together = bfb_schedule(fabric, allreduce);
  set_threads(0);
  EXPECT_EQ(alone, together);
}

}  // namespace
}  // namespace weft::algorithm
