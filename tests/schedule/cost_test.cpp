#include "weft/schedule/cost.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/registry.hpp"

namespace weft::schedule {
namespace {

Network on(std::string_view expression, std::string_view routing = "shortest") {
  const Fabric fabric(build_topology(expression));
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing(routing, fabric)};
}

Schedule ring_allgather(int n) {
  ScheduleBuilder builder(allgather(n), {.symmetry = Symmetry::translations({n})});
  for (int t = 0; t < n - 1; ++t) builder.at(t).send(Rank(0), Rank(1), builder.block(mod(-t, n)));
  return std::move(builder).build();
}

// All blocks at once, from every rank to every rank.
Schedule spread(int n, std::vector<int> moduli) {
  ScheduleBuilder builder(alltoall(n), {.symmetry = Symmetry::translations(std::move(moduli))});
  for (int d = 1; d < n; ++d) builder.at(0).send(Rank(0), Rank(d), builder.block(d));
  builder.at(0).send(Rank(0), Rank(0), builder.block(0));
  return std::move(builder).build();
}

TEST(Cost, ring_allgather_uses_its_links_fully_one_way_and_half_both_ways) {
  // 15 steps of M/16 on links of bandwidth B (uniring, degree 1) or B/2 (ring, degree 2).
  const Verified ring = verify_own(ring_allgather(16));
  EXPECT_EQ(cost(ring, on("uniring:16")).bandwidth_factor, Rational(15, 16));
  EXPECT_EQ(cost(ring, on("ring:16")).bandwidth_factor, Rational(15, 8));
  EXPECT_EQ(cost(ring, on("ring:16")).steps, 15);
  EXPECT_EQ(cost(ring, on("ring:16")).messages, 15 * 16);
  EXPECT_EQ(cost(ring, on("uniring:16")).max_link_load, Rational(15, 16));
}

TEST(Cost, spread_all_to_all_meets_the_distance_bound_on_a_hypercube) {
  // Each rank sends 2^k blocks of M/2^k over k/2 hops on average; k links of B/k each: T_B = k/2 *
  // k / k = k/2.
  for (const int k : {2, 3, 4}) {
    const std::vector<int> moduli(static_cast<std::size_t>(k), 2);
    const Verified all = verify_own(spread(1 << k, moduli));
    const Network network = on(fmt::format("hypercube:{}", k), "dimension-order");
    EXPECT_EQ(cost(all, network).bandwidth_factor, Rational(k, 2));
  }
}

TEST(Cost, sharing_loads_over_orbits_changes_nothing) {
  for (const char* expression : {"torus:4x3", "torus:5x5", "hamming:3x4", "torus:2x6"}) {
    const Network network = on(expression, "dimension-order");
    std::vector<int> moduli;
    for (const char* c = std::strchr(expression, ':'); *c != 0; ++c)
      if (*c >= '0' && *c <= '9') moduli.push_back(*c - '0');
    const Schedule symmetric = spread(network.ranks(), moduli);
    const Cost shared = cost(verify_own(symmetric), network);
    const Cost plain = cost(verify_own(expand_symmetry(symmetric)), network);
    EXPECT_EQ(shared.bandwidth_factor, plain.bandwidth_factor) << expression;
    EXPECT_EQ(shared.link_loads, plain.link_loads) << expression;
  }
}

TEST(Cost, segments_of_a_chain_overlap) {
  // A chain of 4 on a path, s segments: 3 + s - 1 steps, each with a largest load of M/s on links
  // of bandwidth B/2 (degree 2): T_B = 2 (s + 2) / s.
  ScheduleBuilder builder(broadcast(4));
  for (const int r : {0, 1, 2}) builder.at(r).send(Rank(r), Rank(r + 1), builder.everything());
  const Verified chain = verify_own(std::move(builder).build());
  for (const int s : {1, 2, 3, 4, 5, 50}) {
    const Cost price = cost(chain.with_segments(s), on("mesh:4"));
    EXPECT_EQ(price.bandwidth_factor, Rational(2 * (s + 2), s)) << s;
    EXPECT_EQ(price.steps, s + 2);
    EXPECT_EQ(price.max_link_load, Rational(1));
  }
}

TEST(Cost, segments_that_meet_on_a_link_add_up) {
  // Rank 0 sends the buffer over the same link in steps 0 and 1 (to rank 1, and through it to rank
  // 2), stride 1: from the second step on two segments share the link: loads 1, 2, ..., 2, 1 of
  // M/s, so T_B = 2 * 2 s / s.
  ScheduleBuilder builder(broadcast(3));
  builder.at(0).send(Rank(0), Rank(1), builder.everything());
  builder.at(1).send(Rank(0), Rank(2), builder.everything());
  const Verified star = verify_own(std::move(builder).build());
  for (const int s : {1, 2, 7})
    EXPECT_EQ(cost(star.with_segments(s), on("mesh:3")).bandwidth_factor, Rational(4));
  // Of three segments: 2/3, 4/3, 4/3 and 2/3.
  EXPECT_EQ(cost(star.with_segments(3), on("mesh:3")).step_factors,
            (std::vector<Rational>{{2, 3}, {4, 3}, {4, 3}, {2, 3}}));
}

TEST(Cost, has_no_list_of_more_steps_than_one_reads) {
  ScheduleBuilder builder(broadcast(2));
  builder.at(0).send(Rank(0), Rank(1), builder.everything());
  const Verified message = verify_own(std::move(builder).build());
  EXPECT_EQ(std::ssize(cost(message.with_segments(kMostStepFactors), on("ring:2")).step_factors),
            kMostStepFactors);
  EXPECT_TRUE(cost(message.with_segments(kMostStepFactors + 1), on("ring:2")).step_factors.empty());
}

TEST(Cost, splitting_over_equal_paths_shares_the_load) {
  // Opposite corners of a square: half of the message on each of two paths, links of B/2.
  ScheduleBuilder builder(point_to_point(4, Rank(0), Rank(3)));
  builder.at(0).send(Rank(0), Rank(3), builder.everything());
  const Verified message = verify_own(std::move(builder).build());
  EXPECT_EQ(cost(message, on("torus:2x2", "shortest-split")).bandwidth_factor, Rational(1));
  EXPECT_EQ(cost(message, on("torus:2x2")).bandwidth_factor, Rational(2));
}

TEST(Cost, rejects_helpers_without_a_node_on_the_network) {
  const Network ring = on("ring:4");
  const auto forwarded = [&](std::uint64_t hash, int helper_node) {
    ScheduleBuilder builder(
        point_to_point(2, Rank(0), Rank(1)),
        {.helpers = 1,
         .binding = {.hash = hash, .nodes = {NodeId(0), NodeId(1), NodeId(helper_node)}}});
    builder.at(0).send(Rank(0), Agent(2), builder.everything());
    builder.at(1).send(Agent(2), Rank(1), builder.everything());
    return verify_own(std::move(builder).build());
  };
  const std::uint64_t here = ring.topology().hash();
  // 0 -> 3 -> 0 -> 1, each link half of a node's bandwidth: step 1 loads two links, M each.
  EXPECT_EQ(cost(forwarded(here, 3), ring).bandwidth_factor, Rational(4));
  EXPECT_THROW(cost(forwarded(here, 4), ring), InvalidInput);
  EXPECT_THROW(cost(forwarded(here + 1, 3), ring), InvalidInput);
}

TEST(Cost, rejects_a_network_with_too_few_ranks) {
  EXPECT_THROW(cost(verify_own(ring_allgather(9)), on("ring:8")), InvalidInput);
}

}  // namespace
}  // namespace weft::schedule
