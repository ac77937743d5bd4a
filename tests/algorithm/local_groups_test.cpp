// Which ranks are near each other.
#include "weft/algorithm/local_groups.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "support/network_on.hpp"

namespace weft::algorithm {
namespace {

using Boxes = std::vector<int>;

// Boxes of so many hosts on `planes` switches of their own each, and rails: host i of a box is on
// switch i of these. All links are alike.
Network boxes(const Boxes& sizes, int planes, int rails) {
  int hosts = 0;
  for (const int size : sizes) hosts += size;
  const int boxes = static_cast<int>(sizes.size()), first_rail = hosts + boxes * planes;
  topology::TopologyBuilder builder(first_rail + rails);
  for (int node = hosts; node < first_rail + rails; ++node)
    builder.set_kind(NodeId(node), topology::NodeKind::switch_node);
  int host = 0;
  for (int box = 0; box < boxes; ++box)
    for (int i = 0; i < sizes[box]; ++i, ++host) {
      for (int plane = 0; plane < planes; ++plane)
        builder.add_cable(NodeId(host), NodeId(hosts + box * planes + plane));
      builder.add_cable(NodeId(host), NodeId(first_rail + i % rails));
    }
  const Fabric fabric(std::move(builder).build({}),
                      topology::LinkSpeed{.bandwidth_Bps = 1, .latency_ps = 1});
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

std::vector<std::vector<int>> ranks_of(const std::optional<LocalGroups>& groups) {
  std::vector<std::vector<int>> result;
  for (const auto& group : groups.value_or(LocalGroups())) {
    result.emplace_back();
    for (const Rank rank : group) result.back().push_back(rank.value());
  }
  return result;
}

using Ranks = std::vector<std::vector<int>>;

// A host has two links to its box, on different switches, and one to its rail.
TEST(LocalGroups, take_the_planes_of_a_box_for_one_switch) {
  EXPECT_EQ(ranks_of(local_groups(boxes({3, 3}, 2, 3))), (Ranks{{0, 1, 2}, {3, 4, 5}}));
}

// gcd(4, 2) = 2; 4 and 3 have no common row.
TEST(LocalGroups, are_rows_of_unequal_boxes) {
  const Network even = boxes({4, 2}, 2, 4);
  EXPECT_EQ(ranks_of(local_groups(even)), (Ranks{{0, 1}, {2, 3}, {4, 5}}));
  const Network odd = boxes({4, 3}, 2, 4);
  EXPECT_FALSE(local_groups(odd));
  EXPECT_EQ(ranks_of(unequal_lanes(odd)), (Ranks{{0, 1, 2, 3}, {4, 5, 6, 4}}));
}

// What failed leaves groups and rows what they were, but for the ranks that it took along.
TEST(LocalGroups, survive_failures) {
  for (const char* pair : {"dragonfly:a=4,p=2,h=2", "torus:4x4", "hosts(2, 2dfc:4x3)"})
    EXPECT_EQ(ranks_of(local_groups(test::on(fmt::format("without(cable=3, {})", pair)))),
              ranks_of(local_groups(test::on(pair))))
        << pair;
  // The first row of a torus went: 4 of 16 nodes, and the three other rows stay.
  const auto rows =
      ranks_of(local_groups(test::on("without(node=0, node=1, node=2, node=3, torus:4x4)")));
  EXPECT_EQ(rows, (Ranks{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}));
}

// Ranks that lie in one line of the first dimension, or of none, are lines of the next.
TEST(LocalGroups, are_lines_of_the_first_dimension_that_ranks_have_several_in) {
  const auto of_nodes = [](const char* expression, std::vector<std::int32_t> numbers) {
    const Network whole = test::on(expression);
    topology::Placement placement;
    for (const std::int32_t number : numbers) placement.nodes.emplace_back(number);
    return ranks_of(local_groups(whole.with_placement(std::move(placement))));
  };
  EXPECT_EQ(of_nodes("hypercube:4", {0, 4, 8, 12}), (Ranks{{0, 1}, {2, 3}}));
  EXPECT_EQ(of_nodes("torus:4x4x4", {1, 5, 9, 13, 17, 21, 25, 29}),
            (Ranks{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(of_nodes("torus:4x4", {0, 4, 8, 12}), Ranks());
}

TEST(LocalGroups, of_one_switch_are_none) {
  EXPECT_FALSE(local_groups(test::on("xgft:1;5;1")));
  EXPECT_FALSE(unequal_lanes(test::on("xgft:1;5;1")));
  EXPECT_FALSE(unequal_lanes(test::on("ring:5")));
}

}  // namespace
}  // namespace weft::algorithm
