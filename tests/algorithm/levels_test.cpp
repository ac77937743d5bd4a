// Collectives in levels: right for all collectives, and as dear as their parts together.
#include "weft/algorithm/groups/levels.hpp"

#include <gtest/gtest.h>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/groups/hierarchical.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

using test::on;

const LevelAlgorithms kFree = {{}, {}};  // the best within groups and across

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
      const LevelAlgorithms best = best_algorithms(collective, {scattered}, nullptr, kFree);
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
        const auto best = best_algorithms(collective, boxes, nullptr, kFree);
        EXPECT_TRUE(schedule::verify(schedule_in_levels(collective, boxes, best, 3)))
            << schedule::name_of(kind) << ' ' << groups << 'x' << size;
      }
}

// 4 boxes of 8 cards, 450 GB/s to the box and 50 GB/s to the rail, so B is 500 GB/s. A ring of 8
// in a box takes 7/8 M over its links, rings of 4 on the rails 3/4 of M/8 each way.
TEST(Levels, cost_the_sum_of_their_parts) {
  const Network network = on("file:" WEFT_SOURCE_DIR "/examples/gpu-rails.json");
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
  const Network network = on("file:" WEFT_SOURCE_DIR "/examples/gpu-rails.json");
  const GroupLevels boxes = {*local_groups(network)};
  for (const auto& [kind, times] :
       {std::pair(CollectiveKind::allgather, 1), std::pair(CollectiveKind::allreduce, 2)}) {
    const Collective collective{.kind = kind, .ranks = 32};
    const auto cost_of = [&](const LevelAlgorithms& levels) {
      const auto verified =
          schedule::verify_own(schedule_in_levels(collective, boxes, levels), &network.topology());
      return schedule::cost(verified.with_segments(32), network).bandwidth_factor;
    };
    const Rational least = cost_of(best_algorithms(collective, boxes, &network, kFree));
    const Rational bound = times * std::max(Rational(7, 8) * Rational(10, 9), Rational(3, 32) * 10);
    EXPECT_GE(least, bound);
    EXPECT_LE(least, bound * Rational(115, 100));
    for (const std::string_view inner : kLevelChoices)
      if (!misfit_of_levels(kind, {8, 4}, {inner, "ring"})) {
        EXPECT_LE(least, cost_of({inner, "ring"})) << inner;
      }
    EXPECT_EQ(best_algorithms(collective, boxes, &network, {"ring", {}}).front(), "ring");
  }
}

// A box whose cards are all linked: one exchange in turn, in segments, keeps all seven links busy,
// where a ring uses one.
TEST(Levels, use_all_links_of_a_full_mesh) {
  const Network network = on("boxes(2, complete:8)");
  const GroupLevels boxes = {*local_groups(network)};
  const auto best = best_algorithms(schedule::allgather(16), boxes, &network, kFree);
  const auto cost = [&](const LevelAlgorithms& of) {
    const auto verified = schedule::verify_own(
        schedule_in_levels(schedule::allgather(16), boxes, of), &network.topology());
    return schedule::cost(verified.with_segments(256), network).max_link_load;
  };
  EXPECT_EQ(cost(best), Rational(2, 16));  // 1/7 of 14 of 16 blocks
  EXPECT_EQ(cost({"ring", "ring"}), Rational(14, 16));
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
