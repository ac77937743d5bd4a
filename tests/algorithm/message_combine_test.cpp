// Kautz-C, DF-C and FC: the rows of Table 3.2, measured from the schedules.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "topology/files/file_helpers.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/dragonfly/combine.hpp"
#include "weft/algorithm/message_combine.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using test::on;

Cost cost_on(const Network& network, CollectiveKind kind, std::int32_t root = 0,
             const char* algorithm = "kautz-c") {
  const Collective collective{.kind = kind, .ranks = network.ranks(), .root = Rank(root)};
  const Schedule schedule = build_schedule(algorithm, collective, &network);
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
}

/// Time over a link in blocks, M = N blocks: T_B = d / N * blocks.
Rational blocks(const Network& network, CollectiveKind kind, std::int32_t root = 0,
                const char* algorithm = "kautz-c") {
  return cost_on(network, kind, root, algorithm).bandwidth_factor *
         Rational(network.ranks(), network.topology().nominal_degree());
}

// Table 3.2, column Kautz-Combi, with M = N blocks: n = d (d + 1), 2 steps, allreduce 4.
TEST(MessageCombine, costs_what_table_3_2_says_on_kautz_of_diameter_two) {
  for (const int d : {2, 3, 4, 5, 8}) {
    const Network network = on(fmt::format("kautz:{},2", d));
    const std::int64_t n = network.ranks();
    ASSERT_EQ(n, d * (d + 1));
    for (const auto& [kind, steps, wanted] : {std::tuple(CollectiveKind::broadcast, 2, 2 * n),
                                              {CollectiveKind::reduce, 2, 2 * n},
                                              {CollectiveKind::scatter, 2, d + 2},
                                              {CollectiveKind::gather, 2, d + 2},
                                              {CollectiveKind::allgather, 2, d + 1},
                                              {CollectiveKind::reduce_scatter, 2, d + 1},
                                              {CollectiveKind::allreduce, 4, 2 * (d + 1)},  // 2M/d
                                              {CollectiveKind::alltoall, 2, 2 * d + 1}}) {
      EXPECT_EQ(blocks(network, kind), Rational(wanted)) << d << schedule::name_of(kind);
      EXPECT_EQ(cost_on(network, kind).steps, steps) << d << schedule::name_of(kind);
    }
    EXPECT_EQ(cost_on(network, CollectiveKind::alltoall).messages, 2 * n * d);
    EXPECT_EQ(cost_on(network, CollectiveKind::allgather).messages, 2 * n * d);
    EXPECT_EQ(cost_on(network, CollectiveKind::scatter).messages, n - 1);
  }
}

// Column FC: K(d, 1) is the complete graph of d + 1 nodes; allreduce 2 M / (d + 1) by both halves.
TEST(MessageCombine, costs_what_table_3_2_says_on_a_complete_graph) {
  for (const int d : {2, 5, 9}) {
    const Network network = on(fmt::format("kautz:{},1", d));
    EXPECT_EQ(blocks(network, CollectiveKind::broadcast), Rational(d + 1));
    EXPECT_EQ(blocks(network, CollectiveKind::scatter), Rational(1));
    EXPECT_EQ(blocks(network, CollectiveKind::allgather), Rational(1));
    EXPECT_EQ(blocks(network, CollectiveKind::alltoall), Rational(1));
    EXPECT_EQ(blocks(network, CollectiveKind::allreduce), Rational(2));
    EXPECT_EQ(cost_on(network, CollectiveKind::alltoall).steps, 1);
  }
}

// Eq. 3.5: at most d^i blocks of an allgather over a link in step i, and some link has them all.
TEST(MessageCombine, gathers_d_to_the_i_blocks_in_step_i) {
  for (const auto& [d, k] : {std::pair(2, 3), {2, 4}, {3, 3}, {2, 5}}) {
    const Network network = on(fmt::format("kautz:{},{}", d, k));
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::reduce_scatter}) {
      std::int64_t sum = 0, power = 1;
      for (int i = 0; i < k; ++i, power *= d) sum += power;
      EXPECT_EQ(blocks(network, kind), Rational(sum)) << d << "," << k;
      EXPECT_EQ(cost_on(network, kind).steps, k);
    }
  }
}

// Every pair at distance t loads t links with a block: no fewer blocks cross links.
TEST(MessageCombine, moves_every_block_over_a_shortest_way) {
  for (const char* topology : {"kautz:2,3", "kautz:3,2", "genkautz:3,17", "genkautz:4,21"}) {
    const Network network = on(topology);
    const Cost cost = cost_on(network, CollectiveKind::alltoall);
    Rational total = 0;
    for (const Rational& load : cost.link_loads) total += load;
    const auto distances = analysis::summarize_distances(network.topology());
    EXPECT_EQ(total * network.ranks(), Rational(distances.sum())) << topology;
    EXPECT_EQ(cost.steps, distances.diameter()) << topology;
  }
}

TEST(MessageCombine, serves_every_root_and_generalised_kautz) {
  for (const char* topology : {"kautz:2,3", "genkautz:2,7", "genkautz:3,10", "genkautz:4,5",
                               "hosts(1, kautz:2,2)", "without(link=3, kautz:3,2)"}) {
    const Network network = on(topology);
    for (const CollectiveKind kind : find_algorithm("kautz-c").collectives)
      for (std::int32_t root = 0; root < network.ranks(); root += 3) {
        const Collective collective{.kind = kind, .ranks = network.ranks(), .root = Rank(root)};
        const Schedule schedule = build_schedule("kautz-c", collective, &network);
        EXPECT_EQ(test::execute(schedule).violation, "") << topology << schedule::name_of(kind);
        if (!collective.rooted()) break;
      }
  }
}

TEST(MessageCombine, uses_links_in_their_direction) {
  // One-way links: a collecting collective along outgoing trees would take more than k hops.
  const Network network = on("kautz:3,2");
  for (const CollectiveKind kind :
       {CollectiveKind::reduce, CollectiveKind::gather, CollectiveKind::reduce_scatter}) {
    const Collective collective{.kind = kind, .ranks = 12};
    const Schedule schedule = build_schedule("kautz-c", collective, &network);
    for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
      EXPECT_TRUE(network.topology().find_link(NodeId(schedule.message(m).from.value()),
                                               NodeId(schedule.message(m).to.value())));
  }
}

TEST(MessageCombine, rejects_what_it_does_not_serve) {
  const Topology kautz = on("kautz:2,2").topology();
  EXPECT_THROW(message_combine(kautz, schedule::alltoall(5)), InvalidInput);
  EXPECT_THROW(message_combine(kautz, schedule::point_to_point(6, Rank(0), Rank(1))), InvalidInput);
  const Network torus = on("torus:3x3");
  EXPECT_EQ(*misfit(find_algorithm("kautz-c"), {schedule::alltoall(9), &torus}),
            "it needs a Kautz or generalised Kautz network");
}

TEST(MessageCombine, serves_a_file_that_carries_the_words_of_kautz) {
  const Fabric fabric(topology::through_file("kautz:2,3"), topology::LinkSpeed{});
  const Network network{
      fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
  EXPECT_EQ(cost_on(network, CollectiveKind::allgather).bandwidth_factor,
            cost_on(on("kautz:2,3"), CollectiveKind::allgather).bandwidth_factor);
}

/// The largest message of each step, in blocks, added up: each is alone on its link between
/// routers.
Rational blocks_between_routers(const Network& network, const Schedule& schedule) {
  Rational sum = 0;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    std::int64_t largest = 0;
    std::set<std::pair<Agent, Agent>> ends;
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const auto [from, to] = std::pair(schedule.message(m).from, schedule.message(m).to);
      EXPECT_TRUE(network.topology().find_link(NodeId(from.value()), NodeId(to.value())));
      EXPECT_TRUE(ends.emplace(from, to).second);
      std::int64_t units = 0;
      for (const Piece& piece : schedule.pieces(m)) units += piece.count;
      largest = std::max(largest, units);
    }
    sum += largest;
  }
  return sum;
}

// Table 3.2, column Dragonfly: a = h = g - 1, d = 2 a - 1, ceil(d / 2) = a, N = a (a + 1) blocks.
TEST(DragonflyCombine, costs_what_table_3_2_says) {
  for (const int a : {2, 3, 4, 8})
    for (const char* arrangement : {"absolute", "relative", "circulant"}) {
      const Network network =
          on(fmt::format("dragonfly:a={},p=1,h={},g={},arrangement={}", a, a, a + 1, arrangement));
      const std::int64_t n = network.ranks();
      ASSERT_EQ(n, a * (a + 1));
      for (const auto& [kind, steps, wanted] :
           {std::tuple(CollectiveKind::broadcast, 2, 2 * n),
            {CollectiveKind::reduce, 2, 2 * n},
            {CollectiveKind::scatter, 2, a + 1},  // M / a
            {CollectiveKind::gather, 2, a + 1},
            {CollectiveKind::allgather, 2, a + 1},
            {CollectiveKind::reduce_scatter, 2, a + 1},
            {CollectiveKind::allreduce, 4, 2 * (a + 1)},  // 2 M / a
            {CollectiveKind::alltoall, 2, 2 * a}}) {      // 2 M / (a + 1)
        const Collective collective{.kind = kind, .ranks = network.ranks(), .root = Rank(1)};
        const Schedule schedule = build_schedule("dragonfly-c", collective, &network);
        EXPECT_TRUE(schedule::verify(schedule)) << a << schedule::name_of(kind);
        EXPECT_EQ(schedule.steps(), steps) << a << schedule::name_of(kind);
        EXPECT_EQ(blocks_between_routers(network, schedule), Rational(wanted))
            << a << arrangement << schedule::name_of(kind);
      }
    }
}

// Table 3.2, column FC, on d + 1 nodes with M = d + 1 blocks; scatter, gather and all-to-all M / (d
// + 1), allgather and reduce-scatter a block, and an allreduce both of these: 2 alpha + 2 M / (d +
// 1) beta.
TEST(FullyConnected, costs_what_table_3_2_says) {
  for (const int d : {1, 2, 3, 4, 16}) {
    const Network network = on(fmt::format("complete:{}", d + 1));
    for (const auto& [kind, steps, wanted] : {std::tuple(CollectiveKind::broadcast, 1, d + 1),
                                              {CollectiveKind::reduce, 1, d + 1},
                                              {CollectiveKind::scatter, 1, 1},
                                              {CollectiveKind::gather, 1, 1},
                                              {CollectiveKind::allgather, 1, 1},
                                              {CollectiveKind::reduce_scatter, 1, 1},
                                              {CollectiveKind::allreduce, 2, 2},
                                              {CollectiveKind::alltoall, 1, 1}}) {
      EXPECT_EQ(blocks(network, kind, d, "fc"), Rational(wanted)) << d << schedule::name_of(kind);
      EXPECT_EQ(cost_on(network, kind, d, "fc").steps, steps) << d << schedule::name_of(kind);
    }
  }
  const Network kautz = on("kautz:2,2");
  EXPECT_EQ(misfit(find_algorithm("FC"), {schedule::allgather(6), &kautz}),
            "it needs a link between every two ranks");
}

TEST(DragonflyCombine, needs_every_router_linked_to_every_group) {
  const auto reason = [](const std::string& topology) {
    const Network network = on(topology);
    return misfit(find_algorithm("df-c"), {schedule::allgather(network.ranks()), &network})
        .value_or("fits");
  };
  EXPECT_EQ(reason("dragonfly:a=4,p=1,h=2,g=9"),
            "it needs every router to be linked to every group");
  EXPECT_EQ(reason("dragonfly:a=4,p=2,h=4,g=5"),
            "it needs rank r on node r, or on the only host of its switch");
  EXPECT_EQ(reason("2dfc:4x5"), "it needs a Dragonfly");
  EXPECT_EQ(reason("dragonfly:a=3,p=1,h=2,g=3"), "fits");
  EXPECT_THROW(dragonfly_combine(on("2dfc:4x5").topology(), schedule::allgather(20)), InvalidInput);
  EXPECT_THROW(
      dragonfly_combine(on("dragonfly:a=4,p=1,h=2,g=9").topology(), schedule::allgather(36)),
      InvalidInput);
}

}  // namespace
}  // namespace weft::algorithm
