// The optimum against the cut bound, which looks for cuts in another way.
#include "weft/evaluate/optimum.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "support/network_on.hpp"
#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/evaluation.hpp"

namespace weft::evaluate {
namespace {

// With a rank on each host both speak of the same sets.
TEST(Optimum, is_the_cut_bound_where_that_is_searched) {
  int searched = 0;
  for (const char* topology :
       {"genkautz:4,12", "kautz:2,3", "mesh:3x5", "uniring:6", "without(cable=3, torus:4x4)",
        "leaf-spine:leaves=4,spines=2,hosts=4", "dragonfly:a=4,p=2,h=2", "hosts(3, torus:3x3)",
        "boxes(2, network:dgx-a100)", "boxes(2, network:mi250)", "rail:boxes=3,gpus=4,spines=2"}) {
    const Network network = test::on(topology);
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                                      CollectiveKind::broadcast, CollectiveKind::reduce}) {
      SCOPED_TRACE(std::string(topology) + " " + std::string(schedule::name_of(kind)));
      const Collective collective{.kind = kind, .ranks = network.ranks()};
      const auto bound = cut_bound(collective, network);
      ASSERT_TRUE(bound.has_value());
      const Optimum best = optimum(collective, network);
      EXPECT_GE(best.bandwidth_factor, bound->bandwidth_factor);
      if (!bound->searched) continue;
      ++searched;
      EXPECT_EQ(best.bandwidth_factor, bound->bandwidth_factor);
    }
  }
  EXPECT_GT(searched, 30);
}

// One link into a switch and three out of it to hosts that send nothing back: a cut alone lets the
// root send at full speed, but its switch passes on what it gets once, to one host at a time.
TEST(Optimum, says_where_switches_would_have_to_copy) {
  topology::TopologyBuilder builder(5);
  builder.set_kind(NodeId(0), topology::NodeKind::switch_node);
  builder.add_link(NodeId(1), NodeId(0));
  for (int host = 2; host < 5; ++host) builder.add_link(NodeId(0), NodeId(host));
  const Fabric fabric(topology::BuiltTopology{std::move(builder).build({"fan", "", {}}), {}});
  const Network fan(fabric, topology::place(fabric.topology(), {}), {},
                    make_routing("shortest", fabric));
  const Collective collective = schedule::broadcast(4);
  const Optimum best = optimum(collective, fan);
  EXPECT_EQ(best.bandwidth_factor, Rational(1));
  EXPECT_EQ(best.among, Among::also_copying_switches);
  EXPECT_EQ(best.without_copies, Rational(3));
  const Optimum even =
      optimum(schedule::allgather(8), test::on("leaf-spine:leaves=2,spines=2,hosts=4"));
  EXPECT_EQ(even.among, Among::all_schedules);
  EXPECT_FALSE(even.without_copies);
}

// Schedules that are not made in the caller's time are left out, and said to be.
TEST(Optimum, leaves_out_schedules_that_time_runs_out_for) {
  const Network torus = test::on("torus:4x4");
  const TimeLimit none_left(0.0);
  const PricedSchedules priced =
      priced_schedules({"packing", "bfb"}, schedule::allgather(16), torus, 64);
  EXPECT_TRUE(priced.rows.empty());
  ASSERT_EQ(priced.left_out.size(), 2U);
  EXPECT_NE(priced.left_out[0].reason.find("time limit"), std::string::npos);
}

// M = 16 MiB of 16 ranks at 325 GB/s a host: 15/16 of it.
TEST(Optimum, takes_as_long_as_its_cut) {
  const Network network = test::on("boxes(2, network:dgx-a100)");
  const Collective collective = schedule::allgather(16);
  EXPECT_DOUBLE_EQ(optimum(collective, network).time_s(collective, network, 1 << 20),
                   15.0 * (1 << 20) / 325e9);
}

// A general bound meets that of trees where the network is divided evenly; behind a slow one-way
// link it does not.
TEST(Optimum, of_an_allreduce_is_all_schedules_where_the_bound_on_these_meets_it) {
  const Network mesh = test::on("mesh:4x4");
  const Optimum known = optimum(schedule::allreduce(16), mesh);
  EXPECT_EQ(known.bandwidth_factor, Rational(5, 2));
  EXPECT_EQ(known.among, Among::all_schedules);
  int open = 0;
  for (const char* topology : {"without(link=3, kautz:2,3)", "without(link=7, genkautz:3,11)",
                               "without(link=1,link=9, kautz:2,3)"}) {
    SCOPED_TRACE(topology);
    const Network network = test::on(topology);
    const Collective collective = schedule::allreduce(network.ranks());
    const Optimum best = optimum(collective, network);
    const Rational bound = lower_bounds(collective, network, Cuts::taken).greatest();
    ASSERT_TRUE(best.bandwidth_factor.has_value());
    EXPECT_GE(*best.bandwidth_factor, bound);
    EXPECT_EQ(best.among == Among::all_schedules, *best.bandwidth_factor == bound);
    if (best.among == Among::reduce_then_broadcast) ++open;
  }
  EXPECT_GT(open, 0);
}

// 72 boxes of 8 GPUs with a card of B/10 each (50 of 500 GB/s): what the other 71 boxes add up and
// what they spread has to pass the 8 cards of a box, 2 * 71/72 M over 4/5 B. Halves of equal shares
// take just that, so that no linear program of 576 hosts is solved.
TEST(Optimum, of_a_large_allreduce_is_the_bound_that_equal_halves_reach) {
  const Network boxes =
      test::on("boxes(72, network:dgx-h100, clos:pods=8,leaves=9,spines=8,hosts=8,cores=8)");
  const Optimum best = optimum(schedule::allreduce(576), boxes, {.memory_B = 0});
  EXPECT_EQ(best.bandwidth_factor, Rational(2 * 71, 72) * Rational(5, 4));
  EXPECT_EQ(best.among, Among::all_schedules);
  EXPECT_TRUE(best.in_time);
  EXPECT_FALSE(best.proof_memory_B);
}

// The corner of a mesh has 2 links of B/4: each half brings 575/576 of M over B/2. Each of two cuts
// around 576 nodes has two terms of 16 bytes for the share of each node outside.
TEST(Optimum, of_an_allreduce_whose_proof_does_not_fit_is_an_interval_from_the_bound) {
  const Network mesh = test::on("mesh:24x24");
  const Collective collective = schedule::allreduce(576);
  const Optimum best = optimum(collective, mesh, {.memory_B = 1e6});
  EXPECT_FALSE(best.bandwidth_factor);
  EXPECT_EQ(best.least, lower_bounds(collective, mesh, Cuts::taken).greatest().to_double());
  EXPECT_DOUBLE_EQ(best.reached.value_or(0), 2 * 2 * 575.0 / 576);
  ASSERT_TRUE(best.proof_memory_B.has_value());
  EXPECT_GT(*best.proof_memory_B, 2 * 576 * 2 * 575 * 16.0);
}

// From a node of the torus 4 others are one link away, 6 two, 4 three, 1 four: 32 links for 1/16 of
// M each, over 4 of B/4.
TEST(Optimum, of_an_all_to_all_is_the_throughput) {
  EXPECT_EQ(optimum(schedule::alltoall(16), test::on("torus:4x4")).bandwidth_factor, Rational(2));
}

// A card of each GPU joins the rails, and routes lead through GPUs without a rank: ranks that stand
// on one GPU of a box each reach each other over other GPUs' cards.
TEST(Optimum, says_where_idle_hosts_could_pass_data_on) {
  const Network few = test::on("hammingmesh:2x2,2x2", {.ranks = 6, .policy = "random"});
  const Collective collective = schedule::alltoall(6);
  EXPECT_TRUE(have_idle_relays(few));
  EXPECT_EQ(optimum(collective, few).among, Among::without_idle_relays);
  EXPECT_FALSE(have_idle_relays(test::on("hammingmesh:2x2,2x2")));
  const Network leaves =
      test::on("leaf-spine:leaves=4,spines=2,hosts=4", {.ranks = 6, .policy = "random"});
  EXPECT_FALSE(have_idle_relays(leaves));
  EXPECT_EQ(optimum(collective, leaves).among, Among::all_schedules);
}

// Direct messages between the hosts of so small a Dragonfly fill every host's cable: (N - 1) / N,
// which trees through others reach with many segments only.
TEST(Optimum, has_the_best_of_all_algorithms_beside_packing) {
  const Network small = test::on("dragonfly:a=2,p=1,h=1");
  const Collective collective = schedule::allgather(6);
  const PricedSchedules packing = priced_schedules({"packing"}, collective, small, 64);
  const PricedSchedules better = with_better(packing, collective, small, 64);
  ASSERT_EQ(better.rows.size(), packing.rows.size() + 1);
  EXPECT_EQ(better.rows.back().bandwidth_factor, Rational(5, 6));
  EXPECT_EQ(with_better(better, collective, small, 64).rows.size(), better.rows.size());
}

// 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3: nodes 1 and 2 have no way to each other, which a chain of ranks
// in their order takes, and each receives M over a link of B / 2.
constexpr const char* kOneWayDiamond = "without(link=2,link=5,link=6,link=7, mesh:2x2)";

TEST(Optimum, leaves_out_what_would_send_where_no_way_leads) {
  const Network network = test::on(kOneWayDiamond);
  const Collective collective{.kind = CollectiveKind::broadcast, .ranks = 4};
  const PricedSchedules priced = priced_schedules({"chain", "packing"}, collective, network, 64);
  ASSERT_EQ(priced.left_out.size(), 1U);
  EXPECT_EQ(priced.left_out.front().algorithm, "chain");
  EXPECT_NE(priced.left_out.front().reason.find("cannot be reached"), std::string::npos);
  ASSERT_EQ(priced.rows.size(), 2U);
  for (const PricedSchedule& row : priced.rows) EXPECT_GE(row.bandwidth_factor, Rational(2));
  const PricedSchedules all = with_better(priced, collective, network, 64);
  EXPECT_EQ(std::ranges::count(all.left_out, "chain", &Dropped::algorithm), 1);
}

// Two hosts on each node of a network without cycles, the last without a rank. What host 0 sends
// enters the others over one link each, as fast as its own; scattered, 6/7 M leaves over its own.
// Towards a root it is the other way round.
TEST(Optimum, of_one_root_needs_ways_from_it_alone) {
  for (const auto& [links, one_way] :
       {std::pair("link=2,link=5,link=6,link=7",
                  std::pair(CollectiveKind::broadcast, CollectiveKind::scatter)),
        std::pair("link=0,link=1,link=3,link=4",
                  std::pair(CollectiveKind::reduce, CollectiveKind::gather))}) {
    const Network network =
        test::on(fmt::format("hosts(2, without({}, mesh:2x2))", links), {.ranks = 7});
    for (const auto& [kind, factor] :
         {std::pair(one_way.first, Rational(1)), std::pair(one_way.second, Rational(6, 7))}) {
      SCOPED_TRACE(schedule::name_of(kind));
      const Collective collective{.kind = kind, .ranks = 7};
      const auto known = lower_bounds(collective, network, Cuts::and_optimum).optimum;
      ASSERT_TRUE(known.has_value());
      EXPECT_EQ(known->bandwidth_factor, factor);
      EXPECT_EQ(optimum_by_cut(collective, network), factor);
    }
  }
}

TEST(Optimum, refuses_what_cuts_do_not_tell) {
  const Network network = test::on("torus:3x3");
  EXPECT_THROW(optimum({.kind = CollectiveKind::point_to_point, .ranks = 9}, network),
               InvalidInput);
  EXPECT_THROW(priced_schedules({"direct"}, schedule::allgather(9), network, 64), InvalidInput);
}

}  // namespace
}  // namespace weft::evaluate
