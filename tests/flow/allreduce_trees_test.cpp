// Allreduce trees on networks whose optimum is known by hand; HiGHS judges random ones
// (tests/oracle/allreduce_optimum_test.py).
#include "weft/flow/allreduce_trees.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::flow {
namespace {

using graph::Fraction;
using topology::TopologyBuilder;

AllreduceQuestion every_host(const Fabric& fabric) {
  return {.places = {fabric.topology().hosts().begin(), fabric.topology().hosts().end()}};
}

// Least T_B, where trees reach it.
Fraction factor(const Fabric& fabric, const AllreduceQuestion& question) {
  const AllreduceTrees best = allreduce_trees(fabric, question);
  EXPECT_TRUE(best.is_exact());
  EXPECT_EQ(std::accumulate(best.shares.begin(), best.shares.end(), Fraction(0)), 1);
  return best.least_s_per_B * Fraction(fabric.node_egress_Bps());
}
Fraction factor(const char* topology) {
  const Fabric fabric(topology::build_topology(topology));
  return factor(fabric, every_host(fabric));
}

// 2 (N - 1) / N: every port is busy in both halves.
TEST(AllreduceTrees, take_two_rounds_of_every_port_where_all_are_alike) {
  EXPECT_EQ(factor("ring:5"), Fraction(8, 5));
  EXPECT_EQ(factor("uniring:7"), Fraction(12, 7));
  EXPECT_EQ(factor("torus:4x4"), Fraction(15, 8));
  EXPECT_EQ(factor("hypercube:4"), Fraction(15, 8));
  EXPECT_EQ(factor("leaf-spine:leaves=4,spines=2,hosts=2"), Fraction(7, 4));
  EXPECT_EQ(factor("dragonfly:a=4,p=2,h=2"), Fraction(71, 36));
}

// Any N - 1 cables join N nodes, each of them takes a unit both ways: of two-way networks as dense
// everywhere, 2 (N - 1) B / all links' bandwidth. Here B is 4, and 2 at the line of three.
TEST(AllreduceTrees, take_all_cables_where_halves_alone_wait_for_some) {
  EXPECT_EQ(factor("mesh:3"), Fraction(2));  // all rooted in the middle; the halves alone: 8/3
  EXPECT_EQ(factor("mesh:4x4"), Fraction(2 * 15 * 4, 48));
  EXPECT_EQ(factor("without(cable=3, torus:4x4)"), Fraction(2 * 15 * 4, 62));
}

// Eight hosts in a ring, one host hangs on it by a cable a tenth as fast: all goes through that
// once each way, whatever is rooted behind it, and the ring does not matter.
TEST(AllreduceTrees, wait_for_a_slow_cable_once) {
  TopologyBuilder builder(9);
  const auto fast = builder.link_class("fast"), slow = builder.link_class("slow");
  for (std::int32_t node = 0; node < 8; ++node)
    builder.add_cable(NodeId(node), NodeId((node + 1) % 8), fast);
  builder.add_cable(NodeId(0), NodeId(8), slow);
  topology::LinkOptions speeds;
  speeds.by_class["fast"] = {1'000, 0};
  speeds.by_class["slow"] = {100, 0};
  const Fabric fabric(topology::BuiltTopology{std::move(builder).build({"tail", "", {}}), {}},
                      speeds);
  const AllreduceTrees best = allreduce_trees(fabric, every_host(fabric));
  EXPECT_TRUE(best.is_exact());
  EXPECT_EQ(best.least_s_per_B, Fraction(1, 100));
}

// The star's switch copies nothing: 2 (N - 1) units into and out of it over N links each way.
TEST(AllreduceTrees, copy_nothing_at_switches) {
  EXPECT_EQ(factor("xgft:1;6;1"), Fraction(5, 3));
}

TEST(AllreduceTrees, use_hosts_without_a_rank_as_relays_of_direct_networks_alone) {
  const Fabric ring(topology::build_topology("ring:3"));
  const AllreduceQuestion two{.places = {NodeId(0), NodeId(1)}};
  EXPECT_EQ(factor(ring, two), Fraction(1));  // half goes the short way, half the long one
  // Two boxes of two hosts on rails: the way over the other host of a box is of no use.
  const Fabric rails(topology::build_topology("rail:boxes=2,gpus=2,spines=1"));
  const auto hosts = every_host(rails).places;
  EXPECT_EQ(factor(rails, {.places = {hosts[0], hosts[1]}}), Fraction(1));
  EXPECT_EQ(factor(rails, {.places = {hosts[0], hosts[3]}}), Fraction(2));
}

TEST(AllreduceTrees, count_ranks_that_share_a_node_as_one) {
  const Fabric ring(topology::build_topology("ring:4"));
  EXPECT_EQ(factor(ring, {.places = {NodeId(0), NodeId(0), NodeId(1), NodeId(2), NodeId(3)}}),
            Fraction(3, 2));
}

TEST(AllreduceTrees, say_what_is_proven_when_the_time_is_over) {
  const Fabric fabric(topology::build_topology("mesh:4x4"));
  AllreduceQuestion question = every_host(fabric);
  question.time_limit_s = 1e-9;
  const AllreduceTrees best = allreduce_trees(fabric, question);
  EXPECT_FALSE(best.is_exact());
  const Fraction egress(fabric.node_egress_Bps());
  EXPECT_EQ(best.least_s_per_B * egress, Fraction(5, 2));      // around each node: its ports
  EXPECT_EQ(*best.reached_s_per_B * egress, Fraction(15, 4));  // 15/8 of each half alone
  const Fabric switched(topology::build_topology("leaf-spine:leaves=2,spines=1,hosts=3"));
  question = every_host(switched);
  question.time_limit_s = 1e-9;
  EXPECT_EQ(
      allreduce_trees(switched, question).least_s_per_B * Fraction(switched.node_egress_Bps()),
      Fraction(5, 3));
}

TEST(AllreduceTrees, need_ways_between_all_ranks) {
  const Fabric fabric(topology::build_topology("without(link=0, uniring:4)"));
  EXPECT_THROW(allreduce_trees(fabric, every_host(fabric)), InvalidInput);
  const Fabric ring(topology::build_topology("ring:4"));
  EXPECT_THROW(allreduce_trees(ring, {.places = {NodeId(1), NodeId(1)}}), InvalidInput);
}

}  // namespace
}  // namespace weft::flow
