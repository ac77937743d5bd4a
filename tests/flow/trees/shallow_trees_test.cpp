// Trees of few links: that they are trees, how deep they are, and the loads that theory allows.
#include "weft/flow/shallow_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"

namespace weft::flow {
namespace {

using graph::Sense;

RankTreesQuestion all_of(const Network& network, Sense sense = Sense::along) {
  return {.places = network.placement().nodes, .sense = sense};
}

// Each place but the root joins each tree once, over a way that starts at its parent and ends at
// it, in a later step than its parent; no arc is taken by more trees than it says.
void expect_trees(const Network& network, const ShallowTrees& trees, const ShallowQuestion& asked) {
  const Topology& topology = network.topology();
  std::vector<std::int64_t> taken(trees.arcs.size(), 0);
  std::map<std::int32_t, std::int64_t> of_root;
  for (const graph::PackedTree& tree : trees.trees) {
    of_root[tree.root] += tree.multiplicity;
    ASSERT_EQ(tree.branches.size(), trees.places.size());
    std::int32_t roots = 0;
    for (std::size_t place = 0; place < trees.places.size(); ++place) {
      const graph::Branch& branch = tree.branches[place];
      if (branch.depth < 0) {
        ++roots;
        continue;
      }
      EXPECT_LT(branch.depth, asked.depth);
      EXPECT_GT(branch.depth, tree.branches[branch.parent].depth);
      const TreeArc& arc = trees.arcs[branch.arc];
      EXPECT_EQ(arc.to, static_cast<std::int32_t>(place));
      EXPECT_EQ(arc.from, branch.parent);
      taken[branch.arc] += tree.multiplicity;
    }
    EXPECT_EQ(roots, 1);
  }
  for (const auto& [root, count] : of_root) EXPECT_EQ(count, trees.count);
  for (std::size_t i = 0; i < trees.arcs.size(); ++i) {
    std::int64_t ways = 0;
    for (const LinkWay& way : trees.arcs[i].ways) {
      ways += way.trees;
      const bool along = asked.trees.sense == Sense::along;
      const NodeId from = trees.places[trees.arcs[i].from], to = trees.places[trees.arcs[i].to];
      EXPECT_EQ(topology.tail(way.links.front()), along ? from : to);
      EXPECT_EQ(topology.head(way.links.back()), along ? to : from);
      for (std::size_t k = 1; k < way.links.size(); ++k)
        EXPECT_EQ(topology.head(way.links[k - 1]), topology.tail(way.links[k]));
    }
    EXPECT_EQ(taken[i], ways);
  }
}

// Sum over steps of the most trees on a link, for each tree of a root; links alike.
double steps_cost(const ShallowTrees& trees) {
  std::map<std::int32_t, std::map<LinkId, std::int64_t>> load;
  for (const graph::PackedTree& tree : trees.trees)
    for (const graph::Branch& branch : tree.branches)
      if (branch.depth >= 0)
        for (const LinkId link : trees.arcs[branch.arc].ways.front().links)
          load[branch.depth][link] += tree.multiplicity;
  double sum = 0;
  for (const auto& [step, links] : load)
    sum += static_cast<double>(
        std::ranges::max_element(links, {}, [](const auto& each) { return each.second; })->second);
  return sum / static_cast<double>(trees.count);
}

TEST(ShallowTrees, are_trees_on_any_network) {
  for (const char* topology :
       test::samples({"genkautz:3,8", "mesh:2x4", "without(cable=3, node=7, torus:3x3)",
                      "network:dgx-1", "leaf-spine:leaves=3,spines=2,hosts=2"})) {
    const Network network = test::on(topology);
    for (const Sense sense : {Sense::along, Sense::against}) {
      SCOPED_TRACE(topology);
      ShallowQuestion question{.trees = all_of(network, sense)};
      const std::int32_t least = least_depth(network.fabric(), question.trees).links;
      for (question.depth = least; question.depth < least + 2; ++question.depth)
        expect_trees(network, shallow_trees(network.fabric(), question), question);
    }
  }
}

// (N-1)/d is what the links into a node take, and a torus, a hypercube and a ring with an odd
// number of nodes allow it over shortest ways (Zhao et al., appendix E).
TEST(ShallowTrees, fill_all_links_in_each_step_where_shortest_ways_are_even) {
  for (const auto& [topology, depth, cost] :
       {std::tuple("torus:4x4", 4, 15.0 / 4), {"hypercube:3", 3, 7.0 / 3}, {"ring:7", 3, 3.0}}) {
    const Network network = test::on(topology);
    EXPECT_NEAR(
        steps_cost(shallow_trees(network.fabric(), {.trees = all_of(network), .depth = depth})),
        cost, 1e-9)
        << topology;
  }
}

TEST(ShallowTrees, know_the_least_depth) {
  const Network line = test::on("mesh:3x4");
  const FarthestRanks far = least_depth(line.fabric(), all_of(line));
  EXPECT_EQ(far.links, 5);  // (3 - 1) + (4 - 1), from corner to corner
  RankTreesQuestion of_one = all_of(line);
  of_one.roots = {1};  // in the middle of a short side: 1 + 3
  EXPECT_EQ(least_depth(line.fabric(), of_one).links, 4);
  EXPECT_EQ(least_depth(line.fabric(), of_one).from, 1);
  const Network tree = test::on("leaf-spine:leaves=3,spines=2,hosts=2");
  EXPECT_EQ(least_depth(tree.fabric(), all_of(tree)).links, 1);  // switches do not count
}

TEST(ShallowTrees, refuse_a_depth_that_reaches_not_all) {
  const Network network = test::on("mesh:3x4");
  try {
    (void)shallow_trees(network.fabric(), {.trees = all_of(network), .depth = 4});
    FAIL();
  } catch (const InvalidInput& refusal) {
    EXPECT_EQ(std::string(refusal.what()),
              "depth 4 is too small (rank 11 is 5 links from rank 0); use 5 or more");
  }
}

TEST(ShallowTrees, take_no_more_trees_than_asked) {
  const Network network = test::on("mesh:2x4");
  ShallowQuestion question{.trees = all_of(network), .depth = 5};
  question.trees.most_trees = 2;
  EXPECT_LE(shallow_trees(network.fabric(), question).count, 2);
}

}  // namespace
}  // namespace weft::flow
