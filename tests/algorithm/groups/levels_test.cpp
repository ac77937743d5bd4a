// Collectives in levels: right for all collectives, and as dear as their parts together.
#include "weft/algorithm/groups/levels.hpp"

#include <gtest/gtest.h>

#include "algorithm/groups/level_algorithms.hpp"
#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "support/process/source_dir.hpp"
#include "weft/algorithm/groups/hierarchical.hpp"
#include "weft/algorithm/groups/mesh_of_groups.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

using test::best_algorithms;
using test::on;

const std::vector<CollectiveKind> kKinds = {
    CollectiveKind::broadcast, CollectiveKind::reduce,    CollectiveKind::scatter,
    CollectiveKind::gather,    CollectiveKind::allgather, CollectiveKind::reduce_scatter,
    CollectiveKind::allreduce, CollectiveKind::alltoall};

// All levels that fit, by a judge that plays messages on sets of contributions.
TEST(Levels, are_right_for_all_collectives_and_choices) {
  int tried = 0;
  for (const CollectiveKind kind : kKinds)
    for (const int groups : {1, 2, 3, 4})
      for (const int size : {1, 2, 4, 5})
        for (const std::string_view inner : kLevelChoices)
          for (const std::string_view outer : kLevelChoices) {
            const bool every = inner == outer || inner == "ring" || outer == "pairwise";
            if (!every) continue;
            const Collective collective{
                .kind = kind, .ranks = groups * size, .root = Rank(groups * size / 2)};
            if (misfit_of_levels(kind, {size, groups}, {inner, outer})) continue;
            ++tried;
            const Schedule schedule =
                schedule_in_levels(collective, {consecutive_groups(groups * size, size)},
                                   {inner, outer}, tried % 3 + 1);
            EXPECT_EQ(test::execute(schedule).violation, "")
                << schedule::name_of(kind) << ' ' << groups << 'x' << size << ' ' << inner << ' '
                << outer;
          }
  EXPECT_GT(tried, 500);
}

TEST(Levels, take_groups_in_any_order) {
  const LocalGroups scattered = {{Rank(5), Rank(0), Rank(3)}, {Rank(1), Rank(4), Rank(2)}};
  for (const CollectiveKind kind : kKinds)
    for (const int root : {0, 4}) {
      const Collective collective{.kind = kind, .ranks = 6, .root = Rank(root)};
      const LevelAlgorithms best = best_algorithms(collective, {scattered});
      EXPECT_EQ(test::execute(schedule_in_levels(collective, {scattered}, best)).violation, "")
          << schedule::name_of(kind) << root;
    }
}

TEST(Levels, serve_one_to_eight_boxes_of_one_to_eight) {
  for (const CollectiveKind kind : kKinds)
    for (int groups = 1; groups <= 8; ++groups)
      for (int size = 1; size <= 8; ++size) {
        const Collective collective{
            .kind = kind, .ranks = groups * size, .root = Rank(groups * size - 1)};
        const GroupLevels boxes = {consecutive_groups(groups * size, size)};
        const auto best = best_algorithms(collective, boxes);
        EXPECT_TRUE(schedule::verify(schedule_in_levels(collective, boxes, best, 3)))
            << schedule::name_of(kind) << ' ' << groups << 'x' << size;
      }
}

// 4 boxes of 8 cards, 450 GB/s to the box and 50 GB/s to the rail, so B is 500 GB/s. A ring of 8
// in a box takes 7/8 M over its links, rings of 4 on the rails 3/4 of M/8 each way.
TEST(Levels, cost_the_sum_of_their_parts) {
  const Network network = on("file:" + test::source_dir() + "/examples/gpu-rails.json");
  const LevelAlgorithms rings = {"ring", "ring"};
  const GroupLevels boxes = {*local_groups(network)};
  const auto factor = [&](const Collective& collective, std::int64_t segments) {
    const Schedule schedule = schedule_in_levels(collective, boxes, rings, segments);
    return schedule::cost(schedule::verify_own(schedule, &network.topology()), network)
        .bandwidth_factor;
  };
  const Rational box = Rational(7, 8) * Rational(10, 9), rail = Rational(3, 32) * 10;
  EXPECT_EQ(factor(schedule::allgather(32), 1), rail + box);
  EXPECT_EQ(factor(schedule::reduce_scatter(32), 1), box + rail);
  EXPECT_EQ(factor(schedule::allreduce(32), 1), 2 * box + 2 * rail);
  // In many segments the levels lie over each other: what the box carries both ways, or the rail.
  const Rational bound = std::max(2 * box, 2 * rail);
  EXPECT_LT(factor(schedule::allreduce(32), 512), bound * Rational(105, 100));
  EXPECT_GE(factor(schedule::allreduce(32), 512), bound);
}

// In segments the box' links carry 7/8 M each way, and the rails 3/4 of M/8: no choice can take
// less than the longer of the two, and with 32 segments the chosen is near that.
TEST(Levels, choose_what_costs_least_on_the_network) {
  const Network network = on("file:" + test::source_dir() + "/examples/gpu-rails.json");
  const GroupLevels boxes = {*local_groups(network)};
  for (const auto& [kind, times] :
       {std::pair(CollectiveKind::allgather, 1), std::pair(CollectiveKind::allreduce, 2)}) {
    const Collective collective{.kind = kind, .ranks = 32};
    const auto cost_of = [&](const LevelAlgorithms& levels) {
      const auto verified =
          schedule::verify_own(schedule_in_levels(collective, boxes, levels), &network.topology());
      return schedule::cost(verified.with_segments(32), network).bandwidth_factor;
    };
    const Rational least = cost_of(best_algorithms(collective, boxes, &network));
    const Rational bound = times * std::max(Rational(7, 8) * Rational(10, 9), Rational(3, 32) * 10);
    EXPECT_GE(least, bound);
    EXPECT_LE(least, bound * Rational(115, 100));
    for (const std::string_view inner : kLevelChoices)
      if (!misfit_of_levels(kind, {8, 4}, {inner, "ring"})) {
        EXPECT_LE(least, cost_of({inner, "ring"})) << inner;
      }
    EXPECT_EQ(best_algorithms(collective, boxes, &network, {"ring"}).front(), "ring");
  }
}

// A box whose cards are all linked: one exchange in turn, in segments, keeps all seven links busy,
// where a ring uses one.
TEST(Levels, use_all_links_of_a_full_mesh) {
  const Network network = on("boxes(2, complete:8)");
  const GroupLevels boxes = {*local_groups(network)};
  const auto best = best_algorithms(schedule::allgather(16), boxes, &network);
  const auto cost = [&](const LevelAlgorithms& of) {
    const auto verified = schedule::verify_own(
        schedule_in_levels(schedule::allgather(16), boxes, of), &network.topology());
    return schedule::cost(verified.with_segments(256), network).max_link_load;
  };
  EXPECT_EQ(cost(best), Rational(2, 16));  // 1/7 of 14 of 16 blocks
  EXPECT_EQ(cost({"ring", "ring"}), Rational(14, 16));
}

// Boxes whose GPUs have cables of their own: within them breadth first, by these cables. Of one
// segment it costs as much less than with a ring there as on one box alone, without switches.
TEST(Levels, take_breadth_first_broadcasts_within_meshes) {
  for (const auto& [box, boxes] : {std::pair("network:dgx-1", "boxes(3, network:dgx-1)"),
                                   std::pair("network:mi250", "boxes(2, network:mi250)"),
                                   std::pair("torus:3x3", "boxes(4, torus:3x3)")}) {
    const Network alone = on(box, {}, "widest-split"), network = on(boxes, {}, "widest-split");
    const std::int32_t gpus = alone.ranks();
    const GroupLevels levels = {consecutive_groups(network.ranks(), gpus)};
    const auto mesh = mesh_of_groups(levels[0], network);
    ASSERT_TRUE(mesh) << boxes;
    for (const CollectiveKind kind : kKinds) {
      if (kind == CollectiveKind::alltoall) continue;  // not of bfb
      const Collective collective{.kind = kind, .ranks = network.ranks(), .root = Rank(3)};
      const std::string_view outer = collective.rooted() ? "binomial" : "ring";
      const Schedule schedule =
          schedule_in_levels(collective, levels, {kOfMeshes, outer}, 2, &*mesh);
      EXPECT_EQ(test::execute(schedule).violation, "") << boxes << schedule::name_of(kind);
    }
    const auto seconds = [](const Schedule& schedule, const Network& on) {
      return schedule::cost(schedule::verify_own(schedule, &on.topology()), on).bandwidth_factor /
             Rational(on.fabric().node_egress_Bps());
    };
    const auto with = [&](std::string_view inner) {
      return seconds(schedule_in_levels(schedule::allgather(network.ranks()), levels,
                                        {inner, "ring"}, 1, &*mesh),
                     network);
    };
    const auto in_box = [&](std::string_view name) {
      return seconds(build_schedule(name, schedule::allgather(gpus), &alone), alone);
    };
    EXPECT_EQ(with("ring") - with(kOfMeshes), in_box("ring") - in_box("bfb")) << boxes;
    EXPECT_EQ(best_algorithms(schedule::allgather(network.ranks()), levels, &network).front(),
              kOfMeshes)
        << boxes;
  }
  const Network switched = on("boxes(2, (leaf-spine:leaves=1,spines=1,hosts=4))");
  EXPECT_FALSE(mesh_of_groups(consecutive_groups(8, 4), switched));
  // A dead cable in one box: the cable is left out in both.
  const Network damaged = on("without(cable=0, boxes(2, torus:3x3))");
  const auto mesh = mesh_of_groups(consecutive_groups(18, 9), damaged);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->topology().link_count(), 36 - 2);
  const auto kept = schedule_in_levels(schedule::allreduce(18), {consecutive_groups(18, 9)},
                                       {kOfMeshes, "ring"}, 1, &*mesh);
  EXPECT_EQ(test::execute(kept).violation, "");
}

// Odd speeds make breadth first cut blocks into nearly 2^20 units, and a tree across five boxes
// would cut each into more: such pairs are passed over, and refused by name where they are asked
// for.
TEST(Levels, pass_over_units_without_a_common_multiple) {
  topology::LinkOptions speeds;
  for (const char* speed : {"x=97Gbps,1us", "y=31.7Gbps,1us"})
    topology::parse_link_option(speed, speeds);
  const Fabric fabric(build_topology("boxes(5, torus:5x4)"), speeds);
  const Network network{
      fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest-split", fabric)};
  const Schedule chosen = build_schedule("hierarchical", schedule::allreduce(100), &network);
  EXPECT_TRUE(schedule::verify(chosen));
  const GroupLevels levels = {consecutive_groups(100, 20)};
  const auto mesh = mesh_of_groups(levels[0], network);
  int passed_over = 0;
  for (const std::string_view outer : kLevelChoices) {
    const LevelAlgorithms both = {kOfMeshes, outer};
    if (misfit_of_levels(CollectiveKind::allreduce, {20, 5}, both, &*mesh)) continue;
    const auto tried = try_in_levels(schedule::allreduce(100), levels, both, 1, &*mesh);
    passed_over += tried ? 0 : 1;
    if (!tried) {
      EXPECT_THROW(schedule_in_levels(schedule::allreduce(100), levels, both, 1, &*mesh),
                   InvalidInput);
    }
  }
  EXPECT_GT(passed_over, 0);
}

TEST(Levels, say_what_does_not_fit) {
  const GroupLevels groups = {consecutive_groups(12, 3)};
  EXPECT_THROW(schedule_in_levels(schedule::allgather(12), groups, {"xor", "ring"}), InvalidInput);
  EXPECT_THROW(schedule_in_levels(schedule::allgather(12), groups, {"bfb", "ring"}), InvalidInput);
  EXPECT_THROW(schedule_in_levels(schedule::allgather(13), groups, {"ring", "ring"}), InvalidInput);
  EXPECT_THROW(
      schedule_in_levels(schedule::point_to_point(12, Rank(0), Rank(1)), groups, {"ring", "ring"}),
      InvalidInput);
}

}  // namespace
}  // namespace weft::algorithm
