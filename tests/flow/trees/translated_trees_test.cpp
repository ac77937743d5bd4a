// Trees of the identity: that they are trees, what they put on generators, and how deep they are.
#include "weft/flow/translated_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "weft/base/random.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/topology/registry.hpp"

namespace weft::flow {
namespace {

using graph::Sense;
using topology::CayleyView;
using topology::Group;

struct Case {
  Fabric fabric;
  CayleyView view;
  RankTreesQuestion question;
};

Case on(const std::string& expression, Sense sense, const std::vector<std::string>& links = {}) {
  const topology::BuiltTopology built = topology::build_topology(expression);
  topology::LinkOptions speeds;
  for (const std::string& link : links) topology::parse_link_option(link, speeds);
  Fabric fabric(built, speeds);
  auto view = topology::as_cayley(fabric.topology());
  if (!view) throw std::invalid_argument(expression);
  RankTreesQuestion question{.places = {}, .sense = sense};
  for (const NodeId node : fabric.topology().nodes()) question.places.push_back(node);
  return {std::move(fabric), *std::move(view), std::move(question)};
}

// Each node but the identity joins each tree once, by a link from a node that the tree has, one
// deeper; what links of a generator carry, one join each, is within their bandwidth.
void expect_sound(const Case& c, const TranslatedTrees& trees) {
  const Group& group = c.view.group();
  std::vector<std::int64_t> load(static_cast<std::size_t>(c.view.degree()), 0);
  std::map<std::pair<std::int64_t, Group::Element>, std::int32_t> depth;  // by tree and node
  for (std::int64_t tree = 0; tree < trees.count; ++tree) depth[{tree, 0}] = 0;
  for (const TreeJoin& join : trees.joins) {
    const Group::Element generator = c.view.generators()[join.generator];
    const bool along = c.question.sense == Sense::along;
    ASSERT_EQ(along ? group.multiply(join.from, generator) : group.multiply(join.to, generator),
              along ? join.to : join.from);
    ASSERT_GT(join.trees, 0);
    load[join.generator] += join.trees;
    for (std::int64_t tree = join.first; tree < join.first + join.trees; ++tree) {
      const auto from = depth.find({tree, join.from});
      ASSERT_NE(from, depth.end());
      EXPECT_EQ(join.depth, from->second + 1);
      EXPECT_TRUE((depth.try_emplace({tree, join.to}, join.depth).second));
    }
  }
  EXPECT_EQ(std::ssize(depth), trees.count * group.order());
  for (std::int32_t k = 0; k < c.view.degree(); ++k)
    EXPECT_LE(trees.rate_Bps * Rational(load[k]),
              Rational(c.fabric.bandwidth_Bps(c.view.link(c.view.node(0), k))));
}

std::int32_t depth_of(const TranslatedTrees& trees) {
  return std::ranges::max(trees.joins, {}, &TreeJoin::depth).depth;
}

std::int32_t diameter(const Topology& topology) {  // nodes are alike
  const graph::BreadthFirst search(topology.node_count(), 0, [&](std::int32_t at, auto&& reach) {
    for (const LinkId link : topology.out_links(NodeId(at))) reach(topology.head(link).value());
  });
  return *std::ranges::max_element(search.distances());
}

// All rates that a node's links allow: of N - 1 other nodes each sends (bandwidth in) / (N - 1).
TEST(TranslatedTrees, fill_networks_whose_links_are_alike) {
  for (const auto* expression :
       {"torus:4x4", "torus:5x4x3", "torus:7x2", "hypercube:5", "hamming:3x4", "complete:6",
        "bipartite:4,4", "uniring:7", "ring:9", "shifted-ring:12", "circulant:16,3,4",
        "directed-circulant:4", "twisted-torus:2x2x4", "biring:4,8", "biring:6,9",
        "cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)", "torus:20x20", "hypercube:9"})
    for (const Sense sense : {Sense::along, Sense::against}) {
      SCOPED_TRACE(expression);
      const Case c = on(expression, sense);
      const auto trees = translated_trees(c.fabric, c.view, c.question);
      ASSERT_TRUE(trees);
      expect_sound(c, *trees);
      std::int64_t into = 0;
      for (const LinkId link : c.fabric.topology().out_links(NodeId(0)))
        into += c.fabric.bandwidth_Bps(link);
      const std::int64_t others = c.fabric.topology().node_count() - 1;
      EXPECT_EQ(trees->rate_Bps * Rational(trees->count), Rational(into, others));
      EXPECT_EQ(depth_of(*trees), diameter(c.fabric.topology()));
      // In whole trees a generator takes count * others / degree.
      const std::int64_t degree = c.view.degree();
      const bool is_parallel = std::string(expression).starts_with("biring");
      EXPECT_TRUE(is_parallel || trees->count == degree / std::gcd(degree, others));
    }
}

// On the first, shortest ways to 5, 6, 9 and 10 alone end with 5 or -5, which on even terms are
// those of 2 * 14/6 nodes; on the second 5 is that of one node, not of 9/5. One step more helps.
TEST(TranslatedTrees, go_round_where_shortest_ways_are_uneven) {
  for (const Sense sense : {Sense::along, Sense::against})
    for (const auto* expression : {"circulant:15,1,4,5", "circulant:10,1,4,5"}) {
      SCOPED_TRACE(expression);
      const Case c = on(expression, sense);
      const auto trees = translated_trees(c.fabric, c.view, c.question);
      ASSERT_TRUE(trees);
      expect_sound(c, *trees);
      const std::int64_t link = c.fabric.bandwidth_Bps(LinkId(0));
      EXPECT_EQ(trees->rate_Bps * Rational(trees->count),
                Rational(c.view.degree() * link, c.view.group().order() - 1));
      EXPECT_LE(depth_of(*trees), diameter(c.fabric.topology()) + 1);
    }
}

// A slow dimension bounds all by the cut around a row: of an a x b torus a (b - 1) ranks reach a
// row over 2 a slow links.
TEST(TranslatedTrees, use_a_slow_dimension_for_rows_alone) {
  const Case c = on("torus:6x5", Sense::along, {"100Gbps,1us", "y=1Gbps,1us"});
  const auto trees = translated_trees(c.fabric, c.view, c.question);
  ASSERT_TRUE(trees);
  expect_sound(c, *trees);
  EXPECT_EQ(trees->rate_Bps * Rational(trees->count), Rational(std::int64_t{2} * 125'000'000, 4));
}

// The rates of networks with random generators and speeds against the cuts of rank_cut(), which
// tests/flow/trees/rank_trees_test.cpp holds against all cuts.
TEST(TranslatedTrees, reach_the_cut_of_random_circulants) {
  Rng rng(3);
  int found = 0, missed = 0;
  for (int round = 0; round < 300; ++round) {
    const std::int64_t order = 5 + rng.below(30);
    std::set<std::int64_t> jumps;
    for (std::int64_t i = 1 + rng.below(3); i > 0; --i) jumps.insert(1 + rng.below(order - 1));
    std::string expression = "cayley:Z" + std::to_string(order) + ";";
    for (const std::int64_t jump : jumps)
      expression += (jump == *jumps.begin() ? "" : ",") + std::to_string(jump);
    std::int64_t common = order;
    for (const std::int64_t jump : jumps) common = std::gcd(common, jump);
    if (common > 1) continue;  // in parts
    SCOPED_TRACE(expression);
    const Case c = on(expression, rng.below(2) == 0 ? Sense::along : Sense::against);
    const auto trees = translated_trees(c.fabric, c.view, c.question);
    ++(trees ? found : missed);
    if (!trees) continue;
    expect_sound(c, *trees);
    const RankTrees any = rank_trees(c.fabric, c.question);
    EXPECT_EQ(trees->rate_Bps * Rational(trees->count), any.reached_Bps());
    EXPECT_EQ(trees->count, any.count);
  }
  EXPECT_GT(found, 100);
  EXPECT_LE(missed, found / 50);
}

// Where fewer are asked for than fill the links, as good ones as trees of each root by itself.
TEST(TranslatedTrees, are_no_more_than_asked) {
  Case c = on("torus:4x5", Sense::along);
  c.question.most_trees = 1;
  const auto trees = translated_trees(c.fabric, c.view, c.question);
  ASSERT_TRUE(trees);
  EXPECT_EQ(trees->count, 1);
  expect_sound(c, *trees);
  // 19 nodes over four links: five over one of them at least
  EXPECT_EQ(trees->rate_Bps, Rational(c.fabric.bandwidth_Bps(LinkId(0)), 5));
}

TEST(TranslatedTrees, need_a_rank_on_each_node_and_no_root) {
  Case c = on("torus:3x3", Sense::along);
  c.question.places.pop_back();
  EXPECT_FALSE(translated_trees(c.fabric, c.view, c.question));
  c = on("torus:3x3", Sense::along);
  c.question.roots = {0};
  EXPECT_FALSE(translated_trees(c.fabric, c.view, c.question));
}

}  // namespace
}  // namespace weft::flow
