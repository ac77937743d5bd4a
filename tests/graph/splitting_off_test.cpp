#include "weft/graph/splitting_off.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "weft/base/random.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::graph {
namespace {

struct Case {
  std::int32_t nodes = 0;
  std::vector<CapacityArc> arcs;
  std::vector<TreeRoot> roots;
  std::vector<std::int32_t> goals;
  std::vector<char> kept;
};

// The first nodes are kept; cables have one capacity both ways, or each way its own.
Case random_case(Rng& rng, bool two_ways) {
  const auto ends = static_cast<std::int32_t>(2 + rng.below(4));
  Case it{.nodes = static_cast<std::int32_t>(ends + 1 + rng.below(4)),
          .arcs = {},
          .roots = {},
          .goals = {},
          .kept = {}};
  const std::int64_t most = 1 + rng.below(30);
  for (std::int64_t i = rng.below(4 * it.nodes); i >= 0; --i) {
    const auto tail = static_cast<std::int32_t>(rng.below(it.nodes));
    const auto head = static_cast<std::int32_t>((tail + 1 + rng.below(it.nodes - 1)) % it.nodes);
    it.arcs.push_back({tail, head, 1 + rng.below(most)});
    it.arcs.push_back({head, tail, two_ways ? it.arcs.back().capacity : rng.below(most)});
  }
  it.kept.assign(static_cast<std::size_t>(it.nodes), 0);
  for (std::int32_t node = 0; node < ends; ++node) {
    it.kept[node] = 1;
    it.goals.push_back(node);
    it.roots.push_back({node, 1});
  }
  return it;
}

// Ways join the ends of their bundles through nodes that are gone, within what arcs hold.
void expect_ways(const Case& it, const SplitNetwork& split) {
  std::vector<std::int64_t> load(it.arcs.size(), 0);
  for (const WayBundle& bundle : split.bundles) {
    EXPECT_TRUE(it.kept[bundle.tail] != 0 && it.kept[bundle.head] != 0);
    EXPECT_NE(bundle.tail, bundle.head);
    EXPECT_GT(bundle.capacity(), 0);
    for (const WeightedPath& way : bundle.ways) {
      EXPECT_GT(way.capacity, 0);
      std::int32_t at = bundle.tail;
      std::set<std::int32_t> met;
      for (const std::int32_t arc : way.arcs) {
        EXPECT_TRUE(at == bundle.tail || it.kept[at] == 0);
        EXPECT_TRUE(met.insert(at).second);
        ASSERT_EQ(it.arcs[arc].tail, at);
        at = it.arcs[arc].head;
        load[arc] += way.capacity;
      }
      EXPECT_EQ(at, bundle.head);
    }
  }
  for (std::size_t arc = 0; arc < load.size(); ++arc)
    EXPECT_LE(load[arc], split.finer * it.arcs[arc].capacity);
}

std::vector<CapacityArc> arcs_of(const SplitNetwork& split) {
  std::vector<CapacityArc> arcs;
  for (const WayBundle& bundle : split.bundles)
    arcs.push_back({bundle.tail, bundle.head, bundle.capacity()});
  return arcs;
}

// Bang-Jensen, Frank and Jackson: where as much enters each node as leaves it, all trees still fit.
TEST(SplitOff, keeps_what_fits) {
  Rng rng(21);
  int tried = 0;
  for (int round = 0; round < 1'500; ++round) {
    SCOPED_TRACE(round);
    Case it = random_case(rng, true);
    const TreeCut cut = tightest_cut(it.nodes, it.arcs, it.roots, it.goals);
    if (cut.capacity == 0) continue;
    const TreeRate rate = fewest_trees(it.nodes, it.arcs, it.roots, it.goals, cut, 1 << 20);
    ASSERT_EQ(rate.rate * Rational(rate.trees), Rational(cut.capacity, cut.lacking));
    it.arcs = rate.arcs;
    for (TreeRoot& root : it.roots) root.trees = rate.trees;
    const SplitNetwork split = split_off(it.nodes, it.arcs, it.roots, it.goals, it.kept);
    EXPECT_EQ(split.finer, 1);
    EXPECT_EQ(split.roots, it.roots);
    expect_ways(it, split);
    const std::vector<CapacityArc> left = arcs_of(split);
    EXPECT_FALSE(overfull_cut(it.nodes, left, it.roots, it.goals));
    ++tried;
  }
  EXPECT_GT(tried, 1'000);
}

// Where a node's directions differ fewer may fit, and so many do.
TEST(SplitOff, says_where_trees_may_be_lost) {
  Rng rng(22);
  int lost = 0;
  for (int round = 0; round < 1'500; ++round) {
    SCOPED_TRACE(round);
    Case it = random_case(rng, false);
    const TreeCut cut = tightest_cut(it.nodes, it.arcs, it.roots, it.goals);
    if (cut.capacity == 0) continue;
    const TreeRate rate = greatest_rate(it.nodes, it.arcs, it.roots, it.goals, cut, 3);
    it.arcs = rate.arcs;
    for (TreeRoot& root : it.roots) root.trees = 3;
    const SplitNetwork split = split_off(it.nodes, it.arcs, it.roots, it.goals, it.kept);
    expect_ways(it, split);
    EXPECT_FALSE(overfull_cut(it.nodes, arcs_of(split), split.roots, it.goals));
    for (std::size_t root = 0; root < split.roots.size(); ++root) {
      EXPECT_LE(split.roots[root].trees, split.finer * it.roots[root].trees);
      EXPECT_GT(split.roots[root].trees, 0);
    }
    lost += split.finer > 1 ? 1 : 0;
  }
  EXPECT_GT(lost, 0);
}

// Eight hosts on a switch, seven trees of capacity for each: every host sends to every other.
TEST(SplitOff, joins_all_that_a_switch_joins) {
  Case it{.nodes = 9, .arcs = {}, .roots = {}, .goals = {}, .kept = std::vector<char>(9, 1)};
  it.kept[8] = 0;
  for (std::int32_t host = 0; host < 8; ++host) {
    it.arcs.push_back({host, 8, 7});
    it.arcs.push_back({8, host, 7});
    it.roots.push_back({host, 1});
    it.goals.push_back(host);
  }
  const SplitNetwork split = split_off(it.nodes, it.arcs, it.roots, it.goals, it.kept);
  ASSERT_EQ(split.bundles.size(), 56U);
  for (const WayBundle& bundle : split.bundles) EXPECT_EQ(bundle.capacity(), 1);
  const auto packed = pack_trees(9 - 1, arcs_of(split), it.roots);
  for (const PackedTree& tree : packed)
    for (const Branch& branch : tree.branches) EXPECT_LE(branch.depth, 0);
}

}  // namespace
}  // namespace weft::graph
