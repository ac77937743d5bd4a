#include "weft/graph/tree_packing.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "weft/base/random.hpp"

namespace weft::graph {
namespace {

struct Case {
  std::int32_t nodes = 0;
  std::vector<CapacityArc> arcs;
  std::vector<TreeRoot> roots;

  std::int64_t trees() const {
    return std::transform_reduce(roots.begin(), roots.end(), std::int64_t{0}, std::plus<>(),
                                 [](const TreeRoot& root) { return root.trees; });
  }
};

// Edmonds by every set X of nodes: entered by as much as trees have their roots elsewhere.
bool fits(const Case& it) {
  for (std::int32_t set = 1; set < (1 << it.nodes); ++set) {
    const auto inside = [&](std::int32_t node) { return (set >> node & 1) != 0; };
    std::int64_t enters = 0, needed = 0;
    for (const CapacityArc& arc : it.arcs)
      if (!inside(arc.tail) && inside(arc.head)) enters += arc.capacity;
    for (const TreeRoot& root : it.roots)
      if (!inside(root.node)) needed += root.trees;
    if (enters < needed) return false;
  }
  return true;
}

void expect_packed(const Case& it, const std::vector<PackedTree>& packed) {
  std::vector<std::int64_t> load(it.arcs.size(), 0), trees(it.roots.size(), 0);
  std::int32_t last = 0;
  for (const PackedTree& tree : packed) {
    EXPECT_GE(tree.root, last);
    last = tree.root;
    EXPECT_GT(tree.multiplicity, 0);
    trees[tree.root] += tree.multiplicity;
    ASSERT_EQ(std::ssize(tree.branches), it.nodes);
    for (std::int32_t node = 0; node < it.nodes; ++node) {
      const Branch& branch = tree.branches[node];
      if (node == it.roots[tree.root].node) {
        EXPECT_EQ(branch, (Branch{node, 0, -1}));
        continue;
      }
      EXPECT_EQ(it.arcs[branch.arc].tail, branch.parent);
      EXPECT_EQ(it.arcs[branch.arc].head, node);
      EXPECT_EQ(branch.depth, tree.branches[branch.parent].depth + 1);  // so it leads to the root
      load[branch.arc] += tree.multiplicity;
    }
  }
  for (std::size_t arc = 0; arc < load.size(); ++arc) EXPECT_LE(load[arc], it.arcs[arc].capacity);
  for (std::size_t root = 0; root < trees.size(); ++root)
    EXPECT_EQ(trees[root], it.roots[root].trees);
}

Case random_case(Rng& rng) {
  Case it{.nodes = static_cast<std::int32_t>(2 + rng.below(6)), .arcs = {}, .roots = {}};
  const std::int64_t most = 1 + rng.below(12);
  for (std::int64_t i = rng.below(4 * it.nodes); i >= 0; --i) {
    const auto tail = static_cast<std::int32_t>(rng.below(it.nodes));
    const auto head = static_cast<std::int32_t>(rng.below(it.nodes - 1));
    it.arcs.push_back({tail, head + (head >= tail ? 1 : 0), rng.below(most + 1)});
  }
  for (std::int64_t i = rng.below(2 * it.nodes); i >= 0; --i)
    it.roots.push_back({static_cast<std::int32_t>(rng.below(it.nodes)), rng.below(4)});
  return it;
}

// Where trees fit, and one more of some root does not, capacity is tight.
TEST(PackTrees, finds_them_exactly_where_they_fit) {
  Rng rng(5);
  int fitting = 0, tight = 0;
  for (int round = 0; round < 4'000; ++round) {
    Case it = random_case(rng);
    while (fits(it) && it.trees() < 500) {  // more trees until they no longer fit
      SCOPED_TRACE(round);
      expect_packed(it, pack_trees(it.nodes, it.arcs, it.roots));
      ++fitting;
      it.roots[rng.below(std::ssize(it.roots))].trees += 1 + rng.below(3);
      if (!fits(it)) ++tight;
    }
    EXPECT_TRUE(it.trees() == 0 || fits(it) || pack_trees(it.nodes, it.arcs, it.roots).empty());
  }
  EXPECT_GT(fitting, 1'000);
  EXPECT_GT(tight, 500);
}

// A ring of two ways: trees of all roots that use each of 2 n arcs n - 1 times. On long ones nodes
// have few of all arcs.
TEST(PackTrees, fill_rings) {
  for (const std::int32_t nodes : {3, 4, 9, 70}) {
    Case it{.nodes = nodes, .arcs = {}, .roots = {}};
    for (std::int32_t node = 0; node < nodes; ++node) {
      it.arcs.push_back({node, (node + 1) % nodes, nodes - 1});
      it.arcs.push_back({node, (node + nodes - 1) % nodes, nodes - 1});
      it.roots.push_back({node, 2});
    }
    expect_packed(it, pack_trees(it.nodes, it.arcs, it.roots));
  }
}

// Trees that are alike are one: a clique whose arcs take a thousand trees of each root.
TEST(PackTrees, take_trees_that_are_alike_at_once) {
  Case it{.nodes = 5, .arcs = {}, .roots = {}};
  for (std::int32_t tail = 0; tail < 5; ++tail) {
    for (std::int32_t head = 0; head < 5; ++head)
      if (tail != head) it.arcs.push_back({tail, head, 1'000});
    it.roots.push_back({tail, 1'000});
  }
  const auto packed = pack_trees(it.nodes, it.arcs, it.roots);
  expect_packed(it, packed);
  EXPECT_EQ(packed.size(), 5U);
}

}  // namespace
}  // namespace weft::graph
