// Which ranks a collective of a training step joins, and which groups share links.
#include "weft/training/groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/network_on.hpp"
#include "weft/base/error.hpp"

namespace weft::training {
namespace {

using workload::GroupCall;
using workload::GroupKind;
using workload::Parallelism;

// Rank = tensor + 2 (data + 3 pipeline) of 12.
TEST(TrainingGroups, are_numbered_as_megatron_does) {
  const Parallelism parallel{.tensor = 2, .pipeline = 2, .data = 3};
  const auto groups = [&](GroupKind kind, std::int32_t stage = GroupCall::kAllStages) {
    return groups_of({.groups = kind, .stage = stage}, parallel, RankOrder());
  };
  using Groups = std::vector<RankGroup>;
  EXPECT_EQ(groups(GroupKind::tensor), (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}}));
  EXPECT_EQ(groups(GroupKind::replicas), (Groups{{0, 2, 4}, {1, 3, 5}, {6, 8, 10}, {7, 9, 11}}));
  EXPECT_EQ(groups(GroupKind::next, 0), (Groups{{0, 6}, {1, 7}, {2, 8}, {3, 9}, {4, 10}, {5, 11}}));
  EXPECT_EQ(groups(GroupKind::previous, 1),
            (Groups{{6, 0}, {7, 1}, {8, 2}, {9, 3}, {10, 4}, {11, 5}}));
  EXPECT_EQ(groups(GroupKind::tensor, 1), (Groups{{6, 7}, {8, 9}, {10, 11}}));
  EXPECT_EQ(groups(GroupKind::replicas, 0), (Groups{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_EQ(groups_of({.groups = GroupKind::tied, .stage = 1, .partner = 0}, parallel, RankOrder()),
            groups(GroupKind::previous, 1));
}

// Halves of a ring are images; two neighbours and two ranks that are farther apart are not.
TEST(TrainingGroups, are_images_where_routes_are_alike) {
  const Network ring = test::on("ring:8");
  const std::vector<RankGroup> low = {{0, 1}, {2, 3}}, high = {{4, 5}, {6, 7}},
                               far = {{0, 2}, {1, 3}};
  EXPECT_TRUE(are_images(ring, low, high));
  EXPECT_FALSE(are_images(ring, low, far));
}

// One half's link is of another class: its bytes are another's.
TEST(TrainingGroups, are_no_images_on_links_of_another_class) {
  TopologyBuilder builder(4);
  builder.add_cable(NodeId(0), NodeId(1), builder.link_class("copper"));
  builder.add_cable(NodeId(2), NodeId(3), builder.link_class("fibre"));
  builder.add_cable(NodeId(1), NodeId(2), builder.link_class("fibre"));
  const Fabric fabric(std::move(builder).build({"chain", "", {}}), LinkSpeed{});
  const Network chain{
      fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
  const std::vector<RankGroup> pairs = {{0, 1}, {2, 3}};
  EXPECT_FALSE(are_images(chain, std::span(pairs).first(1), std::span(pairs).last(1)));
  EXPECT_EQ(link_sharers_of(chain, pairs, 2, Pairs::all, false).size(), 2);
}

// Whatever the order, each kind's groups take in each rank once.
TEST(TrainingGroups, have_each_rank_once_in_any_order) {
  const Parallelism parallel{.tensor = 2, .pipeline = 3, .data = 4};
  for (const char* text : {"tensor,data,pipeline", "pipeline,tensor,data", "data,pipeline,tensor"})
    for (const GroupKind kind : {GroupKind::tensor, GroupKind::replicas}) {
      std::vector<std::int32_t> seen;
      for (const RankGroup& group : groups_of({.groups = kind}, parallel, RankOrder(text)))
        seen.insert(seen.end(), group.begin(), group.end());
      std::ranges::sort(seen);
      std::vector<std::int32_t> all(24);
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(seen, all) << text;
    }
}

TEST(TrainingGroups, are_ordered_by_three_names) {
  EXPECT_EQ(RankOrder("Pipeline, data, tensor").text(), "pipeline,data,tensor");
  for (const char* text :
       {"", "tensor,data", "tensor,data,data", "tensor,data,pipe", "tensor,data,pipeline,tensor"})
    EXPECT_THROW(RankOrder{text}, InvalidInput) << text;
}

// Rows of a torus meet no other row; its rows and columns by turns do.
TEST(TrainingParties, share_links_where_their_routes_do) {
  const Network torus = test::on("torus:4x4");
  std::vector<RankGroup> rows, columns;
  for (std::int32_t i = 0; i < 4; ++i) {
    rows.push_back({4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
    columns.push_back({i, i + 4, i + 8, i + 12});
  }
  const auto apart = link_sharers_of(torus, rows, rows.size(), Pairs::all, false);
  ASSERT_EQ(apart.size(), 1);  // images of each other
  EXPECT_EQ(apart[0].images, 4);
  EXPECT_EQ(apart[0].groups.size(), 1);
  // Two groups of two rows each, by turns along a row: 0 and 2, 1 and 3 pass each other.
  const std::vector<RankGroup> crossing = {{0, 2, 8, 10}, {1, 3, 9, 11}};
  const auto joined = link_sharers_of(torus, crossing, crossing.size(), Pairs::all, false);
  ASSERT_EQ(joined.size(), 1);
  EXPECT_EQ(joined[0].groups.size(), 2);
  EXPECT_EQ(link_sharers_of(torus, crossing, crossing.size(), Pairs::all, true).size(),
            1);  // alike
  EXPECT_EQ(link_sharers_of(torus, crossing, crossing.size(), Pairs::all, true)[0].images, 2);
}

// Boxes of 4 behind a leaf each: tensor groups in a box meet no other; one rail's groups do.
TEST(TrainingParties, of_boxes_stay_in_them) {
  const Network boxes = test::on("hosts(4, complete:4)");
  const Parallelism parallel{.tensor = 4, .data = 4};
  const auto tensor = groups_of({.groups = GroupKind::tensor}, parallel, RankOrder());
  const auto data = groups_of({.groups = GroupKind::replicas}, parallel, RankOrder());
  const auto inside = link_sharers_of(boxes, tensor, tensor.size(), Pairs::all, false);
  ASSERT_EQ(inside.size(), 1);
  EXPECT_EQ(inside[0].images, 4);
  const auto across = link_sharers_of(boxes, data, data.size(), Pairs::all, false);
  ASSERT_EQ(across.size(), 1);
  EXPECT_EQ(across[0].groups.size(), 4);  // they share the cables between switches
}

TEST(TrainingParties, of_messages_go_by_their_ends_alone) {
  const Network ring = test::on("uniring:8");
  // 0 to 1, 4 to 5: no common link; all pairs of each would go round.
  const std::vector<RankGroup> pairs = {{0, 1}, {4, 5}};
  const auto parties = link_sharers_of(ring, pairs, pairs.size(), Pairs::first_to_second, false);
  ASSERT_EQ(parties.size(), 1);
  EXPECT_EQ(parties[0].images, 2);
  EXPECT_EQ(link_sharers_of(ring, pairs, pairs.size(), Pairs::all, false)[0].groups.size(), 2);
}

}  // namespace
}  // namespace weft::training
