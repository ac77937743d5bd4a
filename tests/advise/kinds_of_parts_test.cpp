// Failures that are drawn come from each kind of cable and node.
#include "weft/advise/degrade/kinds.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "support/network_on.hpp"
#include "weft/advise/degrade/failures.hpp"

namespace weft::advise {
namespace {

using test::on;

std::multiset<std::int64_t> sizes(const std::vector<std::int32_t>& kinds) {
  std::map<std::int32_t, std::int64_t> counts;
  for (const std::int32_t kind : kinds) ++counts[kind];
  std::multiset<std::int64_t> result;
  for (const auto& [kind, count] : counts) result.insert(count);
  return result;
}

// 12 hosts, 4 leaves, 2 spines; a cable a host, one for each pair of leaf and spine.
TEST(KindsOfParts, are_the_levels_of_leaves_and_spines) {
  const KindsOfParts kinds = kinds_of_parts(on("leaf-spine:leaves=4,spines=2,hosts=3"));
  EXPECT_EQ(sizes(kinds.of_node), (std::multiset<std::int64_t>{12, 4, 2}));
  EXPECT_EQ(sizes(kinds.of_cable), (std::multiset<std::int64_t>{12, 8}));
}

// A ring is turned as one likes; a mesh of 3 nodes in a row has two ends and a middle.
TEST(KindsOfParts, follow_symmetries) {
  EXPECT_EQ(sizes(kinds_of_parts(on("ring:5")).of_node), (std::multiset<std::int64_t>{5}));
  EXPECT_EQ(sizes(kinds_of_parts(on("uniring:5")).of_cable), (std::multiset<std::int64_t>{5}));
  const KindsOfParts row = kinds_of_parts(on("mesh:3"));
  EXPECT_EQ(sizes(row.of_node), (std::multiset<std::int64_t>{1, 2}));
  EXPECT_EQ(sizes(row.of_cable), (std::multiset<std::int64_t>{2}));
}

// With spine 0's cable to leaf 0 gone: the rest of leaf 0 (1), of spine 0 (3), and the others (3).
TEST(KindsOfParts, tell_what_is_damaged_apart) {
  const KindsOfParts kinds =
      kinds_of_parts(on("without(cable=12~16, leaf-spine:leaves=4,spines=2,hosts=3)"));
  EXPECT_EQ(sizes(kinds.of_cable), (std::multiset<std::int64_t>{3, 9, 1, 3, 3}));
}

TEST(DrawnFailures, have_one_of_each_kind_and_stand_for_all) {
  const Network network = on("leaf-spine:leaves=4,spines=2,hosts=3");
  for (const std::uint64_t seed : {1, 2, 3}) {
    const DrawnFailures drawn = draw_failures(network,
                                              {.cables = {.kind = Trials::Kind::some, .count = 3},
                                               .nodes = {.kind = Trials::Kind::some, .count = 2}},
                                              0, seed);
    EXPECT_EQ(drawn.possible, 20 + 6);
    ASSERT_EQ(drawn.failures.size(), 5U);
    double cables = 0, nodes = 0;
    std::set<bool> spines;
    for (const Failure& failure : drawn.failures) {
      (failure.cables.empty() ? nodes : cables) += failure.stands_for;
      if (!failure.nodes.empty()) spines.insert(failure.nodes.front() >= 16);
    }
    EXPECT_DOUBLE_EQ(cables, 20);
    EXPECT_DOUBLE_EQ(nodes, 6);
    EXPECT_EQ(spines.size(), 2U);
  }
}

}  // namespace
}  // namespace weft::advise
