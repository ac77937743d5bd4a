// Breadth-first trees: broadcast, reduce, scatter and gather from one root.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>

#include "support/graphs.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using enum CollectiveKind;

Network network_on(const Fabric& fabric) {
  return {fabric,
          topology::place(fabric.topology(), {}),
          {},
          network::make_routing("shortest", fabric)};
}

Cost proven_cost(const Fabric& fabric, CollectiveKind kind, std::int32_t root,
                 const AlgorithmOptions& options = {}) {
  const Network network = network_on(fabric);
  const Schedule schedule = build_schedule(
      "bfb", {.kind = kind, .ranks = network.ranks(), .root = Rank(root)}, &network, options);
  const auto verified = schedule::verify(schedule, &fabric.topology());
  EXPECT_TRUE(verified) << verified.fault().text;
  return schedule::cost(*verified, network);
}

Cost cost_of(const std::string& expression, CollectiveKind kind,
             const AlgorithmOptions& options = {}) {
  return proven_cost(Fabric(build_topology(expression)), kind, 0, options);
}

// The whole buffer over k in-links alike takes 1/k of the time over one, and one link carries B/d.
TEST(BfbRooted, broadcast_shares_the_buffer_over_all_usable_links) {
  EXPECT_EQ(cost_of("hypercube:4", broadcast).bandwidth_factor, Rational(25, 3));  // 4 * (1+..+1/4)
  EXPECT_EQ(cost_of("hypercube:4", reduce).bandwidth_factor, Rational(25, 3));
  EXPECT_EQ(cost_of("ring:8", broadcast).bandwidth_factor, Rational(7));  // 2 * (3 + 1/2)
  EXPECT_EQ(cost_of("complete:5", broadcast).bandwidth_factor, Rational(4));
  EXPECT_EQ(cost_of("uniring:2,4", broadcast).bandwidth_factor, Rational(3));  // parallel links
}

// Where the root's links are balanced in every layer no link further out is busier.
TEST(BfbRooted, scatter_takes_no_more_than_the_roots_links_need) {
  for (const char* name : {"hypercube:4", "torus:5x4", "ring:7", "ring:8", "complete:6",
                           "hamming:3x4", "uniring:6", "bipartite:3,3", "torus:3x3x2"})
    for (const CollectiveKind kind : {scatter, gather}) {
      const std::int64_t n = build_topology(name).topology.node_count();
      EXPECT_EQ(cost_of(name, kind).bandwidth_factor, Rational(n - 1, n)) << name;
    }
}

TEST(BfbRooted, whole_chunks_cost_more) {
  EXPECT_GT(cost_of("ring:8", scatter, {.values = {{"chunks", Chunks{1}}}}).bandwidth_factor,
            Rational(7, 8));
  EXPECT_EQ(cost_of("ring:8", scatter, {.values = {{"chunks", Chunks{2}}}}).bandwidth_factor,
            Rational(7, 8));
}

// T_B of a breadth-first broadcast by its definition.
Rational naive_broadcast(const Fabric& fabric, std::int32_t root) {
  const Topology& topology = fabric.topology();
  const auto distance = support::naive_distances(topology)[root];
  std::map<std::int32_t, Rational> times;
  for (const NodeId node : topology.nodes()) {
    std::int64_t bandwidth = 0;
    for (const LinkId link : topology.in_links(node))
      if (distance[topology.tail(link).index()] + 1 == distance[node.index()])
        bandwidth += fabric.bandwidth_Bps(link);
    Rational& time = times[distance[node.index()]];
    if (node.value() != root) time = std::max(time, Rational(fabric.node_egress_Bps(), bandwidth));
  }
  Rational sum;
  for (const auto& [step, time] : times) sum += time;
  return sum;
}

TEST(BfbRooted, random_networks_of_unequal_links) {
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(static_cast<std::uint64_t>(seed));
    const int nodes = 1 + static_cast<int>(rng.below(10));
    std::vector<support::Ends> arcs;
    for (int u = 0; u < nodes; ++u) arcs.emplace_back(u, (u + 1) % nodes);
    for (int i = 0; i < nodes; ++i)
      arcs.emplace_back(static_cast<int>(rng.below(nodes)), static_cast<int>(rng.below(nodes)));
    const Topology topology = support::from_arcs(nodes, arcs);
    topology::FileSpeeds speeds;
    for (std::size_t l = 0; l < arcs.size(); ++l)
      speeds.bandwidth_Bps.emplace_back(seed % 2 == 0 ? 1000 : 1000 * (1 + rng.below(3)));
    const Fabric fabric(topology::BuiltTopology{topology, speeds});
    const auto root = static_cast<std::int32_t>(rng.below(nodes));
    const auto distances = support::naive_distances(topology);
    const auto& from_root = distances[root];
    const std::int64_t outwards = *std::max_element(from_root.begin(), from_root.end());
    const Cost cost = proven_cost(fabric, broadcast, root);
    EXPECT_EQ(cost.bandwidth_factor, naive_broadcast(fabric, root));
    EXPECT_EQ(cost.steps, outwards);
    EXPECT_EQ(proven_cost(fabric, scatter, root).steps, outwards);
    std::int64_t inwards = 0;
    for (const auto& row : distances) inwards = std::max<std::int64_t>(inwards, row[root]);
    EXPECT_EQ(proven_cost(fabric, reduce, root).steps, inwards);
    EXPECT_EQ(
        proven_cost(fabric, gather, root, {.values = {{"chunks", Chunks{1 + rng.below(4)}}}}).steps,
        inwards);
  }
}

// Alone the steps of a hypercube of 16 take 4, 2, 4/3 and 1. With s segments the first is under way
// s times, and the last segment's others follow: 4 + (2 + 4/3 + 1) / s.
TEST(BfbRooted, segments_hide_all_steps_but_the_slowest) {
  for (const CollectiveKind kind : {broadcast, reduce})
    for (const std::int64_t segments : {1, 2, 8, 1000}) {
      const Cost cost = cost_of("hypercube:4", kind, {.values = {{"segments", segments}}});
      EXPECT_EQ(cost.steps, 4 + segments - 1);
      EXPECT_EQ(cost.bandwidth_factor, 4 + Rational(13, 3 * segments)) << segments;
    }
}

// The fullest link of a mesh is not the same in all steps: segments bring T_B from 86/45 towards
// what the fullest link of all steps together needs, at 4 links a node.
TEST(BfbRooted, segments_even_out_an_allgather) {
  const Cost whole = cost_of("mesh:3x5", allgather);
  const Cost cut = cost_of("mesh:3x5", allgather, {.values = {{"segments", 64}}});
  EXPECT_LT(cut.bandwidth_factor, whole.bandwidth_factor);
  EXPECT_GE(cut.bandwidth_factor, 4 * whole.max_link_load);
  EXPECT_EQ(cut.max_link_load, whole.max_link_load);
  EXPECT_EQ(cut.steps, 6 + 63);
}

TEST(BfbRooted, foretells_no_cost) {
  const Network network = network_on(Fabric(build_topology("ring:4")));
  EXPECT_FALSE(forecast("bfb", schedule::broadcast(4), network));
  EXPECT_TRUE(forecast("bfb", schedule::allgather(4), network));
  EXPECT_FALSE(forecast("bfb", schedule::allgather(4), network, {.values = {{"segments", 2}}}));
}

}  // namespace
}  // namespace weft::algorithm
