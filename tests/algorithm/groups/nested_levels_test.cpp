// Collectives in three levels and more: right for all collectives, and as dear as their parts;
// which groups nest, and which levels are chosen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "algorithm/groups/level_algorithms.hpp"
#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/groups/levels.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/facets.hpp"

namespace weft::algorithm {
namespace {

using test::on;

const std::vector<CollectiveKind> kKinds = {
    CollectiveKind::broadcast, CollectiveKind::reduce,    CollectiveKind::scatter,
    CollectiveKind::gather,    CollectiveKind::allgather, CollectiveKind::reduce_scatter,
    CollectiveKind::allreduce, CollectiveKind::alltoall};

std::int32_t ranks_of(const LevelShape& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
}

// The first so many ranks in this order are a group, the next, and so on, at each level.
std::vector<LocalGroups> partitions(const LevelShape& shape, const std::vector<Rank>& order) {
  std::vector<LocalGroups> result;
  std::int64_t size = 1;
  for (std::size_t level = 0; level + 1 < shape.size(); ++level) {
    size *= shape[level];
    LocalGroups groups;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i % size == 0) groups.emplace_back();
      groups.back().push_back(order[i]);
    }
    result.push_back(std::move(groups));
  }
  return result;
}

std::vector<Rank> in_order(std::int32_t ranks) {
  std::vector<Rank> order;
  for (const Rank rank : ids<Rank>(ranks)) order.push_back(rank);
  return order;
}

std::vector<Rank> shuffled(std::int32_t ranks, Rng rng) {
  std::vector<Rank> order = in_order(ranks);
  rng.shuffle(order);
  return order;
}

LevelAlgorithms drawn(std::size_t levels, Rng& rng) {
  LevelAlgorithms names;
  for (std::size_t level = 0; level < levels; ++level)
    names.push_back(kLevelChoices[rng.below(std::ssize(kLevelChoices))]);
  return names;
}

// Algorithms drawn for each level, by a judge that plays messages on sets of contributions.
TEST(NestedLevels, are_right_for_all_collectives_shapes_and_choices) {
  const LevelShape shapes[] = {{2, 2, 2}, {3, 2, 2}, {2, 3, 2}, {2, 2, 3},    {3, 4, 2},
                               {1, 3, 2}, {4, 1, 2}, {4, 4, 2}, {2, 2, 2, 2}, {2, 3, 1, 2}};
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    for (const LevelShape& shape : shapes)
      for (const CollectiveKind kind : kKinds) {
        const std::int32_t n = ranks_of(shape);
        Rng rng =
            Rng(seed).split(static_cast<std::uint64_t>(n)).split(static_cast<std::uint64_t>(kind));
        const LevelAlgorithms names = drawn(shape.size(), rng);
        if (misfit_of_levels(kind, shape, names)) continue;
        ++tried;
        const Collective collective{
            .kind = kind, .ranks = n, .root = Rank(static_cast<std::int32_t>(rng.below(n)))};
        const Schedule schedule =
            schedule_in_levels(collective, *nested(partitions(shape, shuffled(n, rng.split(1)))),
                               names, tried % 3 + 1);
        EXPECT_EQ(test::execute(schedule).violation, "")
            << seed << ' ' << schedule::name_of(kind) << ' ' << fmt::format("{}", n) << " by "
            << names[0] << ' ' << names[1] << ' ' << names.back();
      }
  EXPECT_GT(tried, 150);
}

TEST(NestedLevels, find_algorithms_for_all_collectives) {
  for (const CollectiveKind kind : kKinds)
    for (const LevelShape& shape : {LevelShape{2, 2, 2}, {3, 4, 2}, {2, 5, 3}, {3, 2, 2, 2}}) {
      const std::int32_t n = ranks_of(shape);
      const Collective collective{.kind = kind, .ranks = n, .root = Rank(n / 2)};
      const std::vector<LocalGroups> groups = partitions(shape, in_order(n));
      const LevelAlgorithms best = test::best_algorithms(collective, groups);
      EXPECT_EQ(best.size(), shape.size());
      EXPECT_TRUE(schedule::verify(schedule_in_levels(collective, *nested(groups), best, 2)))
          << schedule::name_of(kind);
    }
}

// On one switch no team is in the way of another: an allgather's level takes what its algorithm
// takes on the ranks of a team, each with the blocks that it has from the levels above.
TEST(NestedLevels, cost_the_sum_of_their_parts) {
  const auto factor = [](const Schedule& schedule, std::int32_t ranks) {
    const Network star = on(fmt::format("xgft:1;{};1", ranks));
    return schedule::cost(schedule::verify_own(schedule), star).bandwidth_factor;
  };
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const LevelShape& shape : {LevelShape{2, 2, 2}, {3, 2, 4}, {2, 4, 3}, {2, 3, 2, 2}}) {
      Rng rng = Rng(seed).split(static_cast<std::uint64_t>(ranks_of(shape)));
      const LevelAlgorithms names = drawn(shape.size(), rng);
      // Those that serve an allgather themselves.
      bool serves = true;
      for (const auto name : names)
        serves = serves && find_algorithm(name).supports(CollectiveKind::allgather);
      if (!serves || misfit_of_levels(CollectiveKind::allgather, shape, names)) continue;
      ++tried;
      const std::int32_t n = ranks_of(shape);
      Rational sum;
      std::int64_t held = 1;
      for (std::size_t level = shape.size(); level-- > 0;) {
        const std::int32_t team = shape[level];
        sum += factor(build_schedule(names[level], schedule::allgather(team)), team) *
               Rational(team * held, n);
        held *= team;
      }
      const GroupLevels levels = *nested(partitions(shape, in_order(n)));
      EXPECT_EQ(factor(schedule_in_levels(schedule::allgather(n), levels, names), n), sum) << seed;
      EXPECT_EQ(factor(schedule_in_levels(schedule::reduce_scatter(n), levels, names), n), sum)
          << seed;
    }
  EXPECT_GT(tried, 20);
}

// A thin tree of 2 pods of 2 leaves of 2 hosts, each switch with one cable up; blocks of M/8. Three
// levels of pairs: over the top 4 blocks one way (its 4 hosts have one each), over a leaf's cable
// 2 x 2, over a host's 4.
TEST(NestedLevels, cost_what_all_groups_of_a_level_put_on_links_together) {
  const Network tree = on("xgft:3;2,2,2;1,1,1");
  const auto available = local_group_levels(tree).groups;
  ASSERT_EQ(available.size(), 2u);
  const auto schedule = schedule_in_levels(schedule::allgather(8), *nested(available),
                                           {"pairwise", "pairwise", "pairwise"});
  const schedule::Cost cost = schedule::cost(schedule::verify_own(schedule), tree);
  EXPECT_EQ(cost.step_factors,
            (std::vector<Rational>{Rational(4, 8), Rational(4, 8), Rational(4, 8)}));
}

// Boxes of 4 whose cards are 4 times as fast as what leaves a rack of 2, and 16 times as what
// leaves a row of 2 racks. In a row 2 rows x 2 racks x 2 boxes x 4.
TEST(NestedLevels, groups_are_those_of_boxes_racks_and_rows) {
  const auto sizes = [](const Network& network) {
    std::vector<std::size_t> result;
    for (const LocalGroups& groups : local_group_levels(network).groups)
      result.push_back(groups.front().size());
    return result;
  };
  using Sizes = std::vector<std::size_t>;
  constexpr const char* kClos = "clos:pods=2,leaves=2,spines=2,cores=2,hosts=8";
  EXPECT_EQ(sizes(on(kClos)), (Sizes{8, 16}));
  EXPECT_EQ(sizes(on(fmt::format("boxes(8, complete:4, {})", kClos))), (Sizes{4, 8, 16}));
  EXPECT_EQ(
      sizes(on(fmt::format("boxes(8, complete:4, {})", kClos), {.policy = "random", .seed = 3})),
      (Sizes{4, 8, 16}));
  EXPECT_EQ(sizes(on("xgft:4;2,2,3,2;1,1,1,1")), (Sizes{2, 4, 12}));
  EXPECT_EQ(sizes(on("dragonfly:a=4,p=2,h=2,g=3")), (Sizes{2, 8}));
  EXPECT_EQ(sizes(on("dragonfly-plus:l=2,s=2,p=4,h=1,g=3")), (Sizes{4, 8}));
  EXPECT_EQ(sizes(on("boxes(12, complete:2, dragonfly:a=4,p=2,h=2,g=3)")), (Sizes{2, 8}));
  EXPECT_EQ(sizes(on("boxes(24, wiring=rail, complete:2, dragonfly:a=4,p=2,h=2,g=3)")),
            (Sizes{2, 4, 16}));
  // A lost host leaves its rack smaller than the others: only rows of what is left are equal.
  EXPECT_EQ(sizes(on("torus:4x4x4")), (Sizes{4}));
  EXPECT_EQ(sizes(on("ring:8")), Sizes{});
  // 12 of 32 GPUs: 3 boxes, in two racks.
  EXPECT_EQ(sizes(on(fmt::format("boxes(8, complete:4, {})", kClos), {.ranks = 12})), Sizes{4});
}

// The same links, but nothing that says what they are.
Network without_facets(const std::string& text) {
  const Topology whole = topology::build_topology(text).topology;
  topology::TopologyBuilder builder(whole.node_count());
  for (const NodeId node : whole.nodes()) builder.set_kind(node, whole.kind(node));
  for (const LinkId link : ids<LinkId>(whole.link_count()))
    builder.add_link(whole.tail(link), whole.head(link));
  const Fabric fabric(std::move(builder).build({}),
                      topology::LinkSpeed{.bandwidth_Bps = 1, .latency_ps = 1});
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

TEST(NestedLevels, groups_are_seen_by_the_switches_above_them) {
  for (const char* text : {"clos:pods=2,leaves=2,spines=2,cores=2,hosts=8",
                           "xgft:4;2,2,3,2;1,1,1,1", "xgft:3;4,2,3;1,2,2", "fat-tree:2,4",
                           "boxes(8, (xgft:1;4;1), clos:pods=2,leaves=2,spines=2,cores=2,"
                           "hosts=8)"}) {
    const Network bare = without_facets(text), whole = on(text);
    ASSERT_TRUE(bare.topology().facets().facets.empty());
    EXPECT_EQ(local_group_levels(bare).groups, local_group_levels(whole).groups) << text;
  }
  // Neighbours of routers are never the same; under one spine all leaves are.
  for (const char* text : {"dragonfly:a=4,p=2,h=2,g=3", "leaf-spine:leaves=4,spines=2,hosts=4"})
    EXPECT_EQ(local_group_levels(without_facets(text)).groups.size(), 1u) << text;
}

TEST(NestedLevels, nest_groups_only_of_whole_ones) {
  const auto pairs = consecutive_groups(12, 2), threes = consecutive_groups(12, 3),
             sixes = consecutive_groups(12, 6);
  EXPECT_FALSE(nested(std::vector{pairs, threes}));
  const auto levels = nested(std::vector{pairs, sixes});
  ASSERT_TRUE(levels);
  EXPECT_EQ(shape_of(*levels), (LevelShape{2, 3, 2}));
  EXPECT_EQ(levels->back(),
            (LocalGroups{{Rank(0), Rank(1), Rank(2)}, {Rank(3), Rank(4), Rank(5)}}));
}

// 16 boxes of 8, two on a leaf, two leaves in a pod, each with 4 cables up; a GPU has 7 links in
// its box and a card, all alike, so that B is 8 of them. What 16 GPUs of a leaf lack, 7/8 M, comes
// over 4 cables: T_B is at least 7/8 x 8/4. Two levels pass boxes of all pods in the order of the
// ranks, which is any order here; three and four sort them.
TEST(NestedLevels, beat_two_where_leaves_and_pods_are_thin) {
  const Network network =
      on("boxes(16, complete:8, clos:pods=4,leaves=2,spines=4,cores=4,hosts=16)",
         {.policy = "random", .seed = 1}, "shortest-split");
  const Collective collective = schedule::allgather(128);
  const LocalGroupLevels all = local_group_levels(network);
  const auto factor = [&](const LocalGroupLevels& available) {
    const LevelChoice best = level_choices(collective, available, &network, {})->best;
    const auto verified =
        schedule::verify_own(schedule_in_levels(collective, *nested(best.groups), best.algorithms));
    return schedule::cost(verified.with_segments(1024), network).bandwidth_factor;
  };
  const Rational bound(7, 4), two = factor({{all.groups[all.usual]}, 0}), more = factor(all);
  EXPECT_GE(more, bound);
  EXPECT_LT(more, bound * Rational(101, 100));
  EXPECT_GT(two, bound * 3);
}

// A row of 36 boxes passes a broadcast on 35 times; in the 9 groups of a Dragonfly it takes few.
TEST(NestedLevels, serve_broadcasts_where_rows_of_groups_are_long) {
  const Network network = on("boxes(36, complete:4, dragonfly:a=4,p=4,h=2)", {}, "shortest-split");
  for (const Collective& collective :
       {schedule::broadcast(144, Rank(50)), schedule::reduce(144, Rank(50))}) {
    const Schedule schedule = build_schedule("hierarchical", collective, &network);
    EXPECT_EQ(schedule.algorithm().rfind("hierarchical(group=4,16, inner=", 0), 0u)
        << schedule.algorithm();
    EXPECT_TRUE(schedule::verify(schedule));
    EXPECT_LT(schedule.stored_steps(), 36);
  }
}

TEST(NestedLevels, say_what_does_not_fit) {
  const auto message = [](const AlgorithmOptions& options) -> std::string {
    try {
      build_schedule("hierarchical", schedule::allgather(24), nullptr, options);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const auto says = [&](const AlgorithmOptions& options, const char* text) {
    const std::string said = message(options);
    EXPECT_NE(said.find(text), std::string::npos) << said;
  };
  says({.values = {{"group", std::vector{2, 12}}, {"inner", "ring,xor"}}},
       "xor does not do the allgather of 6 groups within the groups of level 2");
  says({.values = {{"group", std::vector{2, 12}}, {"inner", "ring"}}},
       "inner names 1 algorithm, and the groups are of 2 levels");
  says({.values = {{"group", 2}, {"inner", "ring,ring"}}},
       "inner names 2 algorithms, and the groups are of 1 level");
  says({.values = {{"group", std::vector{4, 6}}}}, "group 4,6 is not nested");
  says({.values = {{"group", std::vector{2, 5}}}}, "group 5 does not divide 24 ranks");
  says({.values = {{"group", 4}, {"inner", "rong"}}}, "unknown value of --inner 'rong'");
}

// The schedule's name has the options that make it again.
TEST(NestedLevels, are_named_by_the_options_that_make_them) {
  const Network network = on("boxes(8, complete:4, clos:pods=2,leaves=2,spines=2,cores=2,hosts=8)");
  const auto built = [&](const AlgorithmOptions& options) {
    return build_schedule("hierarchical", schedule::allreduce(32), &network, options);
  };
  const AlgorithmOptions asked{.values = {{"group", std::vector{4, 8, 16}},
                                          {"inner", "ring,pairwise,xor"},
                                          {"outer", "rabenseifner"}}};
  const Schedule schedule = built(asked);
  EXPECT_EQ(schedule.algorithm(),
            "hierarchical(group=4,8,16, inner=ring,pairwise,xor, outer=rabenseifner)");
  EXPECT_TRUE(schedule::verify(schedule));
  // Three names stand for the three levels that the network shows.
  EXPECT_EQ(built({.values = {{"inner", "ring,pairwise,xor"}, {"outer", "rabenseifner"}}}),
            schedule);
}

}  // namespace
}  // namespace weft::algorithm
