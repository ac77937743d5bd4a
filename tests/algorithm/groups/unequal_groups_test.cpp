// Collectives of groups of several sizes: right for all, and as dear as theory says.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/groups/levels.hpp"
#include "weft/algorithm/local_groups.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/placement.hpp"

namespace weft::algorithm {
namespace {

const std::vector<CollectiveKind> kKinds = {
    CollectiveKind::broadcast, CollectiveKind::reduce,    CollectiveKind::scatter,
    CollectiveKind::gather,    CollectiveKind::allgather, CollectiveKind::reduce_scatter,
    CollectiveKind::allreduce, CollectiveKind::alltoall};

// Two levels of switches; `hosts` counts the hosts of each leaf that are in the job.
Network leaves(const std::vector<int>& hosts) {
  const int most = *std::ranges::max_element(hosts);
  const Network whole =
      test::on(fmt::format("xgft:2;{},{};1,{}", most, hosts.size(), most), {}, "d-mod-k");
  topology::Placement placement;
  for (std::size_t leaf = 0; leaf < hosts.size(); ++leaf)
    for (int i = 0; i < hosts[leaf]; ++i)
      placement.nodes.emplace_back(static_cast<std::int32_t>(leaf) * most + i);
  return whole.with_placement(std::move(placement));
}

// A judge plays the messages on sets of contributions. Ranks stand anywhere in their groups.
TEST(UnequalGroups, are_right_for_all_collectives) {
  const Rng rng(7);
  int tried = 0;
  for (const auto& sizes : std::vector<std::vector<int>>{
           {2, 1}, {3, 2}, {1, 4, 2}, {5, 5, 3}, {7, 7, 7, 2}, {1, 1, 3}, {4, 3, 2, 1}}) {
    std::vector<std::int32_t> ranks(std::accumulate(sizes.begin(), sizes.end(), 0));
    std::iota(ranks.begin(), ranks.end(), 0);
    Rng shuffler = rng.split(tried);
    shuffler.shuffle(ranks);
    const auto most = static_cast<std::size_t>(*std::ranges::max_element(sizes));
    LocalGroups lanes;
    std::size_t next = 0;
    for (const int size : sizes) {
      lanes.emplace_back();
      for (std::size_t lane = 0; lane < most; ++lane)
        lanes.back().emplace_back(ranks[next + lane % size]);
      next += size;
    }
    const auto all = static_cast<std::int32_t>(ranks.size());
    for (const CollectiveKind kind : kKinds)
      for (const auto& names : std::vector<LevelAlgorithms>{{"ring", "ring"},
                                                            {"pairwise", "pairwise"},
                                                            {"binomial", "binomial"},
                                                            {"ring", "rabenseifner"},
                                                            {"bruck", "spread"},
                                                            {"spread", "recursive-doubling"}})
        for (const int root : {0, all - 1}) {
          const Collective collective{.kind = kind, .ranks = all, .root = Rank(root)};
          if (misfit_of_levels(kind, shape_of({lanes}), names)) continue;
          const auto schedule = try_in_levels(collective, {lanes}, names, tried % 3 + 1, nullptr);
          if (!schedule) continue;  // not for the ranks of a smaller group
          ++tried;
          EXPECT_EQ(test::execute(*schedule).violation, "")
              << fmt::format("{} {} {} root {}", schedule::name_of(kind), sizes, names, root);
        }
  }
  EXPECT_GT(tried, 200);
}

// A job of 37 hosts over 6 leaves: found on the network, proved, and by every collective.
TEST(UnequalGroups, of_an_allocation_have_schedules) {
  const Network network = leaves({7, 7, 7, 7, 7, 2});
  EXPECT_FALSE(local_groups(network));
  const auto lanes = unequal_lanes(network);
  ASSERT_TRUE(lanes);
  EXPECT_EQ(ranks_in(*lanes), 37);
  EXPECT_EQ(lanes->back().size(), 7U);
  for (const CollectiveKind kind : kKinds) {
    const Collective collective{.kind = kind, .ranks = 37, .root = Rank(36)};
    EXPECT_TRUE(schedule::verify(build_schedule("hierarchical", collective, &network)))
        << schedule::name_of(kind);
  }
  EXPECT_TRUE(schedule::verify(build_schedule("local-ring", schedule::allreduce(37), &network)));
}

// Seven lanes of M/7. The reduce-scatter in a leaf of 7 takes 6 steps of M/7; that of the small
// leaf is one step, in which one host sends the other the 4/7 M of its four lanes. The allgather is
// the same backwards. Across, 10 steps send M/42 in each lane, and four lanes end at one host of
// the small leaf; the others leave its leaf by spines of their own.
TEST(UnequalGroups, cost_what_their_lanes_carry) {
  const Network network = leaves({7, 7, 7, 7, 7, 2});
  const Schedule schedule =
      schedule_in_levels(schedule::allreduce(37), {*unequal_lanes(network)}, {"ring", "ring"});
  const auto cost = schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
  const Rational within = Rational(4, 7) + Rational(5, 7), across = 10 * Rational(4, 42);
  EXPECT_EQ(cost.bandwidth_factor, 2 * within + across);
}

// A card of box 0 is dead: the others serve its rail, each on its own rail first.
TEST(UnequalGroups, keep_ranks_on_their_rails) {
  const Network network = test::on("without(node=1, rail:boxes=4,gpus=8,spines=2)");
  const auto lanes = unequal_lanes(network);
  ASSERT_TRUE(lanes);
  // Hosts 0, 2 to 7 of box 0 are ranks 0 to 6; lane 1, of the dead card, has one of them twice.
  std::vector<std::int32_t> first;
  for (const Rank rank : lanes->front()) first.push_back(rank.value());
  EXPECT_EQ(first.size(), 8U);
  EXPECT_EQ(first[0], 0);
  for (int lane = 2; lane < 8; ++lane) EXPECT_EQ(first[lane], lane - 1);
}

}  // namespace
}  // namespace weft::algorithm
