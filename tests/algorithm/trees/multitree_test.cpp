// MULTITREE: no two trees meet on a link in a step; steps and costs are those of the sources.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/trees/multitree.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using test::on;

Cost cost_on(const Network& network, CollectiveKind kind) {
  const Collective collective{.kind = kind, .ranks = network.ranks()};
  const Schedule schedule = build_schedule("multitree", collective, &network);
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
}

/// Time over a link in blocks, M = N blocks: T_B = d / N * blocks.
Rational blocks(const Network& network, CollectiveKind kind) {
  return cost_on(network, kind).bandwidth_factor *
         Rational(network.ranks(), network.topology().nominal_degree());
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

// Eq. 4.4, which greedy trees miss: N (N - 1) branches over N (m1 + m2 - 2) links.
TEST(Multitree, takes_the_least_steps_on_every_pair_of_extents) {
  for (int m1 = 2; m1 <= 12; ++m1)
    for (int m2 = 2; m2 <= 12; ++m2) {
      const Network network = on(fmt::format("2dfc:{}x{}", m1, m2));
      const std::int64_t least = ceil_div(m1 * m2 - 1, m1 + m2 - 2);
      for (const CollectiveKind kind :
           {CollectiveKind::allgather, CollectiveKind::reduce_scatter}) {
        EXPECT_EQ(cost_on(network, kind).steps, least) << m1 << "x" << m2;
        EXPECT_EQ(blocks(network, kind), Rational(least)) << m1 << "x" << m2;
      }
    }
}

// Table 4.2 on m x m: the first step carries 1 + c blocks, c more steps one each, with c = ceil((m
// - 1) / 2): m blocks for odd m as printed, m + 1 for even m, where m/2 + 1 steps are the least.
TEST(Multitree, exchanges_all_to_all_as_table_4_2_says) {
  for (const int m : test::samples_between(2, 16)) {
    const Network network = on(fmt::format("2dfc:{}x{}", m, m));
    EXPECT_EQ(cost_on(network, CollectiveKind::alltoall).steps, m / 2 + 1) << m;
    EXPECT_EQ(blocks(network, CollectiveKind::alltoall), Rational(m + (m % 2 == 0 ? 1 : 0))) << m;
  }
}

// A link of the narrower dimension has to carry max(m1, m2) blocks.
TEST(Multitree, exchanges_no_faster_than_the_bound) {
  for (const auto& [m1, m2] : {std::pair(2, 9), {9, 2}, {4, 6}, {5, 8}, {12, 3}})
    EXPECT_GE(blocks(on(fmt::format("2dfc:{}x{}", m1, m2)), CollectiveKind::alltoall),
              Rational(std::max(m1, m2)));
}

// Table 3.2, column Kautz-Mtree, with M = n blocks, n = d (d + 1); allreduce 2 M / d.
TEST(Multitree, costs_what_table_3_2_says_on_kautz_of_diameter_two) {
  for (const int d : {2, 3, 4, 5, 8}) {
    const Network network = on(fmt::format("kautz:{},2", d));
    const std::int64_t n = network.ranks();
    for (const auto& [kind, steps, wanted] : {std::tuple(CollectiveKind::broadcast, 2, 2 * n),
                                              {CollectiveKind::reduce, 2, 2 * n},
                                              {CollectiveKind::scatter, 2, d + 2},
                                              {CollectiveKind::gather, 2, d + 2},
                                              {CollectiveKind::allgather, d + 1, d + 1},
                                              {CollectiveKind::reduce_scatter, d + 1, d + 1},
                                              {CollectiveKind::allreduce, 2 * (d + 1), 2 * (d + 1)},
                                              {CollectiveKind::alltoall, d + 1, 2 * d + 1}}) {
      EXPECT_EQ(cost_on(network, kind).steps, steps) << d << schedule::name_of(kind);
      EXPECT_EQ(blocks(network, kind), Rational(wanted)) << d << schedule::name_of(kind);
    }
  }
}

// One block over a link in a step at most, on networks of every kind: parallel links, one-way
// links, irregular, degraded, one host on a switch.
TEST(Multitree, never_meets_on_a_link) {
  for (const char* topology :
       {"ring:7", "uniring:2,5", "biring:4,6", "torus:3x4", "mesh:3x3", "hypercube:4",
        "hamming:3x2x4", "debruijn:2,3", "genkautz:3,11", "random-regular:12,3,seed=4",
        "without(cable=2, torus:3x3)", "dragonfly:a=2,p=1,h=1", "hosts(1, torus:3x3)"}) {
    const Network network = on(topology);
    const std::int64_t n = network.ranks();
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::reduce_scatter}) {
      if (network.topology().has_switches()) {
        EXPECT_EQ(cost_on(network, kind).messages, n * (n - 1));  // terminal links carry more
        continue;
      }
      const Cost cost = cost_on(network, kind);
      EXPECT_EQ(blocks(network, kind), Rational(cost.steps)) << topology;
      EXPECT_EQ(cost.messages, n * (n - 1)) << topology;
      EXPECT_GE(cost.steps, ceil_div(n * (n - 1), network.topology().link_count())) << topology;
      EXPECT_LE(cost.steps, n - 1) << topology;
    }
  }
}

// From 1,024 nodes on, the trees of a Cayley network are translates of one: a block over every link
// in each step but the last, which is the least number of steps; commuting generators or not,
// two-way links or not.
TEST(Multitree, takes_the_least_steps_on_large_cayley_networks) {
  for (const auto& [topology, degree] : {std::pair{"torus:16x8x8", 6},
                                         {"hypercube:10", 10},
                                         {"circulant:1100,1,33", 4},
                                         {"hamming:8x16x8", 29},
                                         {"hosts(1, torus:32x32)", 4},
                                         {"cayley:Z480xZ4,k=7;(1,3),(1,0),(6,1),(3,3)", 4}}) {
    const Network network = on(topology);
    const std::int64_t n = network.ranks();
    ASSERT_GE(n, 1024) << topology;
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::reduce_scatter}) {
      const Cost cost = cost_on(network, kind);  // which proves the schedule
      EXPECT_EQ(cost.steps, ceil_div(n - 1, degree)) << topology;
      EXPECT_EQ(cost.messages, n * (n - 1)) << topology;
      if (network.topology().has_switches()) continue;  // terminal links carry more
      EXPECT_EQ(blocks(network, kind), Rational(cost.steps)) << topology;
    }
  }
}

TEST(Multitree, serves_every_collective_and_root) {
  for (const char* topology : {"kautz:2,2", "uniring:2,4", "2dfc:3x2", "hosts(1, 2dfc:2x3)"}) {
    const Network network = on(topology);
    for (const CollectiveKind kind : find_algorithm("multitree").collectives)
      for (std::int32_t root = 0; root < network.ranks(); ++root) {
        const Collective collective{.kind = kind, .ranks = network.ranks(), .root = Rank(root)};
        const Schedule schedule = build_schedule("multitree", collective, &network);
        EXPECT_EQ(test::execute(schedule).violation, "") << topology << schedule::name_of(kind);
        if (!collective.rooted()) break;
      }
  }
}

TEST(Multitree, rejects_what_it_does_not_serve) {
  const Network torus = on("torus:3x3");
  EXPECT_THROW(multitree(torus.topology(), schedule::alltoall(5)), InvalidInput);
  EXPECT_THROW(multitree(torus.topology(), schedule::point_to_point(9, Rank(0), Rank(1))),
               InvalidInput);
  const Network two_hosts = on("hosts(2, torus:3x3)");
  EXPECT_TRUE(misfit(find_algorithm("multitree"), {schedule::allgather(18), &two_hosts}));
}

TEST(Multitree, needs_a_way_from_every_node_to_every_other) {
  const Network line = on("without(link=2, uniring:4)");
  EXPECT_EQ(*misfit(find_algorithm("multitree"), {schedule::allgather(4), &line}),
            "it needs a path from every node to every other");
  EXPECT_THROW(multitree(line.topology(), schedule::allgather(4)), InvalidInput);
}

}  // namespace
}  // namespace weft::algorithm
