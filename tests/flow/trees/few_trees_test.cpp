// Few shallow trees of one root: that they are trees, fit their links, and are as shallow as a
// host's link allows.
#include "weft/flow/few_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "weft/base/error.hpp"

namespace weft::flow {
namespace {

using graph::Sense;
using test::on;

RankTreesQuestion from(const Network& network, std::int32_t root, Sense sense = Sense::along) {
  return {.places = network.placement().nodes, .roots = {root}, .sense = sense};
}

// Each place but the root's joins each tree once, behind its parent.
void expect_spanning(const PlacedTrees& trees, NodeId root) {
  for (const graph::PackedTree& tree : trees.trees)
    for (std::size_t place = 0; place < trees.places.size(); ++place) {
      const graph::Branch& branch = tree.branches[place];
      EXPECT_EQ(branch.depth < 0, trees.places[place] == root);
      if (branch.depth < 0) continue;
      EXPECT_EQ(branch.depth, tree.branches[branch.parent].depth + 1);
      EXPECT_EQ(trees.arcs[branch.arc].from, branch.parent);
      EXPECT_EQ(trees.arcs[branch.arc].to, static_cast<std::int32_t>(place));
    }
}

// Ways lead from place to place, and links carry what is sent over them at the trees' rate.
void expect_carried(const Network& network, const FewTrees& trees, Sense sense) {
  const Topology& topology = network.topology();
  std::vector<std::int64_t> taken(static_cast<std::size_t>(topology.link_count()), 0);
  for (const graph::PackedTree& tree : trees.trees)
    for (const graph::Branch& branch : tree.branches) {
      if (branch.depth < 0) continue;
      const TreeArc& arc = trees.arcs[branch.arc];
      ASSERT_EQ(arc.ways.size(), 1U);
      const std::vector<LinkId>& links = arc.ways.front().links;
      const bool along = sense == Sense::along;
      EXPECT_EQ(topology.tail(links.front()), trees.places[along ? arc.from : arc.to]);
      EXPECT_EQ(topology.head(links.back()), trees.places[along ? arc.to : arc.from]);
      for (std::size_t i = 1; i < links.size(); ++i)
        EXPECT_EQ(topology.head(links[i - 1]), topology.tail(links[i]));
      for (const LinkId link : links) taken[link.index()] += tree.multiplicity;
    }
  const Rational rate = trees.all_Bps / Rational(std::ssize(trees.trees));
  for (const LinkId link : topology.links())
    EXPECT_LE(Rational(taken[link.index()]) * rate, Rational(network.fabric().bandwidth_Bps(link)));
}

TEST(FewTrees, fit_their_links) {
  for (const char* topology :
       {"leaf-spine:leaves=4,spines=2,hosts=4", "rail:boxes=4,gpus=4,spines=2",
        "without(link=70, rail:boxes=4,gpus=4,spines=2)", "fat-tree:4,2", "dragonfly:a=2,p=2,h=1",
        "hosts(2, torus:3x3)", "torus:4x4", "without(cable=0, mesh:4x4)", "kautz:3,2"}) {
    const Network network = on(topology);
    int found = 0;
    for (const Sense sense : {Sense::along, Sense::against})
      for (const std::int64_t count : {1, 2, 3, 4, 8}) {
        SCOPED_TRACE(std::string(topology) + ", trees: " + std::to_string(count));
        const auto trees = few_trees(network.fabric(), from(network, 3, sense), count);
        if (!trees) continue;
        ++found;
        EXPECT_EQ(std::ssize(trees->trees), count);
        EXPECT_LE(trees->all_Bps, trees->optimum_Bps);
        expect_spanning(*trees, network.placement().nodes[3]);
        expect_carried(network, *trees, sense);
      }
    EXPECT_GE(found, 6) << topology;
  }
}

// A host sends k trees' data at most: the root one hop of each tree, the next host k hops, and so
// on. So d links reach 1 + 1 + k + ... + k^(d-2) hosts or fewer, with all that a link carries.
std::int32_t least_depth_of(std::int64_t hosts, std::int64_t trees) {
  std::int32_t depth = 1;
  for (std::int64_t reached = 2, last = 1; reached < hosts; ++depth) reached += last *= trees;
  return depth;
}

TEST(FewTrees, are_nearly_as_shallow_as_a_host_allows_under_one_switch) {
  for (const std::int64_t hosts : {8, 16, 17, 64, 100}) {
    const Network network = on(("xgft:1;" + std::to_string(hosts) + ";1").c_str());
    for (const std::int64_t count : {2, 3, 4, 8}) {
      SCOPED_TRACE(std::to_string(hosts) + " hosts, trees: " + std::to_string(count));
      const auto trees = few_trees(network.fabric(), from(network, 0), count);
      ASSERT_TRUE(trees);
      EXPECT_EQ(trees->all_Bps, trees->optimum_Bps);
      EXPECT_GE(trees->depth(), least_depth_of(hosts, count));
      EXPECT_LE(trees->depth(), least_depth_of(hosts, count) + 2);
    }
  }
}

// One tree over hosts with one link each is a chain, whatever is searched.
TEST(FewTrees, are_a_chain_where_one_tree_takes_all) {
  const Network network = on("leaf-spine:leaves=3,spines=2,hosts=4");
  const auto trees = few_trees(network.fabric(), from(network, 5), 1);
  ASSERT_TRUE(trees);
  EXPECT_EQ(trees->all_Bps, trees->optimum_Bps);
  EXPECT_EQ(trees->depth(), 11);
}

}  // namespace
}  // namespace weft::flow
