// Rank trees against every cut of small networks, and what trees put on links.
#include "weft/flow/rank_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "support/judges/every_cut.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/topology/registry.hpp"

namespace weft::flow {
namespace {

using graph::Sense;
using test::Directions;

struct Case {
  Fabric fabric;
  RankTreesQuestion question;
};

// Ranks on random hosts, some together.
Case random_case(Rng& rng, Directions directions) {
  Case result{test::random_fabric(rng, directions), {}};
  result.question.places = test::random_places(rng, result.fabric.topology(), 7);
  if (rng.below(3) == 0)
    result.question.roots = {0};
  else if (rng.below(4) == 0)
    result.question.goal = 0;
  if (rng.below(2) == 0) result.question.sense = Sense::against;
  return result;
}

std::optional<Rational> least_by_hand(const Case& c) {
  return test::least_for_each_root(c.fabric.topology(), test::capacities(c.fabric), c.question);
}

// Every tree reaches every place over ways of links that are there, within what links carry.
void expect_sound(const Case& c, const RankTrees& trees) {
  const Topology& topology = c.fabric.topology();
  std::vector<std::int64_t> load(static_cast<std::size_t>(topology.link_count()), 0);
  std::vector<std::int64_t> on_arc(trees.arcs.size(), 0);
  for (const graph::PackedTree& tree : trees.trees)
    for (std::size_t place = 0; place < trees.places.size(); ++place) {
      const graph::Branch& branch = tree.branches[place];
      if (branch.depth < 0) continue;
      EXPECT_EQ(trees.arcs[branch.arc].to, static_cast<std::int32_t>(place));
      EXPECT_EQ(trees.arcs[branch.arc].from, branch.parent);
      on_arc[branch.arc] += tree.multiplicity;
    }
  for (std::size_t i = 0; i < trees.arcs.size(); ++i) {
    const TreeArc& arc = trees.arcs[i];
    std::int64_t room = 0;
    for (const LinkWay& way : arc.ways) {
      room += way.trees;
      NodeId from = trees.places[arc.from], to = trees.places[arc.to];
      if (c.question.sense == Sense::against) std::swap(from, to);
      NodeId at = from;
      for (const LinkId link : way.links) {
        ASSERT_EQ(topology.tail(link), at);
        EXPECT_TRUE(at == from || !topology.is_host(at) || !topology.has_switches());
        at = topology.head(link);
        load[link.index()] += way.trees;
      }
      EXPECT_EQ(at, to);
    }
    EXPECT_LE(on_arc[i], room);
  }
  for (const LinkId link : topology.links())
    EXPECT_LE(trees.rate_Bps * Rational(load[link.index()]),
              Rational(c.fabric.bandwidth_Bps(link)));
}

class EveryCut : public testing::TestWithParam<Directions> {};

TEST_P(EveryCut, is_no_tighter_than_the_one_found) {
  Rng rng(31);
  const int rounds = test::samples(3'000);
  int reached = 0, lost = 0, apart = 0, to_one = 0;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const Case c = random_case(rng, GetParam());
    const auto least = least_by_hand(c);
    if (!least || *least == 0) {
      ++apart;
      EXPECT_TRUE(rank_trees_misfit(c.fabric, c.question));
      EXPECT_THROW(rank_cut(c.fabric, c.question), InvalidInput);
      continue;
    }
    const RankCut cut = rank_cut(c.fabric, c.question);
    EXPECT_EQ(Rational(cut.bandwidth_Bps, cut.lacking), *least);
    if (c.question.goal) {
      ++to_one;
      continue;
    }
    const RankTrees trees = rank_trees(c.fabric, c.question);
    EXPECT_EQ(trees.optimum_Bps, *least);
    EXPECT_LE(trees.reached_Bps(), *least);
    ++(trees.reached_Bps() == *least ? reached : lost);
    expect_sound(c, trees);
  }
  EXPECT_GT(reached, rounds / 3);
  EXPECT_GT(apart, rounds / 300);
  EXPECT_GT(to_one, rounds / 20);
  EXPECT_TRUE(GetParam() == Directions::unlike || lost == 0) << lost;
}

INSTANTIATE_TEST_SUITE_P(RankTrees, EveryCut,
                         testing::Values(Directions::unlike, Directions::alike),
                         [](const auto& directions) {
                           return directions.param == Directions::alike ? "of_cables"
                                                                        : "of_one_way_links";
                         });

// k trees of each root at a rate of r take k roots' worth of every cut, of links that take
// floor(bandwidth / r) trees each. The greatest r is one of bandwidth / m, since that changes at no
// other.
std::optional<Rational> best_by_hand(const Case& c, std::int64_t most_trees) {
  const std::vector<std::int64_t> bandwidths = test::capacities(c.fabric);
  const std::set<std::int64_t> speeds(bandwidths.begin(), bandwidths.end());
  std::optional<Rational> best;
  for (std::int64_t trees = 1; trees <= most_trees; ++trees) {
    std::set<Rational> rates;  // no link takes more trees than there are
    for (const std::int64_t speed : speeds)
      for (std::int64_t m = 1; m <= trees * std::ssize(c.question.places); ++m)
        rates.insert(Rational(speed, m));
    const std::vector<Rational> sorted(rates.begin(), rates.end());
    const auto fits = [&](const Rational& rate) {
      std::vector<std::int64_t> taken;
      for (const std::int64_t bandwidth : bandwidths)
        taken.push_back(bandwidth * rate.denominator() / rate.numerator());
      const auto least = test::least_for_each_root(c.fabric.topology(), taken, c.question);
      return least && *least >= Rational(trees);
    };
    const auto above = std::ranges::partition_point(sorted, fits);
    if (above == sorted.begin()) continue;
    const Rational all = *std::prev(above) * Rational(trees);
    if (!best || *best < all) best = all;
  }
  return best;
}

// Of cables, where splitting off loses nothing, so that cuts alone decide.
TEST(RankTrees, are_the_best_of_so_few) {
  Rng rng(8);
  int below_optimum = 0, reached = 0;
  const int rounds = test::samples(500);
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    Case c = random_case(rng, Directions::alike);
    c.question.goal = {};
    if (flow::rank_trees_misfit(c.fabric, c.question)) continue;
    c.question.most_trees = 1 + rng.below(4);
    const RankTrees trees = rank_trees(c.fabric, c.question);
    EXPECT_LE(trees.count, c.question.most_trees);
    EXPECT_EQ(trees.reached_Bps(), best_by_hand(c, c.question.most_trees));
    expect_sound(c, trees);
    ++(trees.reached_Bps() < trees.optimum_Bps ? below_optimum : reached);
  }
  EXPECT_GT(below_optimum, rounds / 20);
  EXPECT_GT(reached, rounds / 20);
}

// Cayley networks whose links are alike, the cut of which is known without a flow: two ways, one
// way, with links from nodes to themselves and in parallel.
TEST(RankTrees, have_the_tightest_cut_on_cayley_networks) {
  for (const auto* expression :
       {"torus:3x3", "torus:4x2", "hypercube:3", "complete:5", "uniring:6", "circulant:9,2,3",
        "directed-circulant:4", "cayley:D4;(1,0),(0,1)", "cayley:Z8;1,3", "cayley:Z8;2,3",
        "cayley:Z6;0,1", "biring:4,6", "twisted-hypercube:3", "cayley:Z9;3,4,7"})
    for (const Sense sense : {Sense::along, Sense::against}) {
      SCOPED_TRACE(expression);
      Case c{Fabric(topology::build_topology(expression)), {}};
      const Topology& topology = c.fabric.topology();
      for (const NodeId node : topology.nodes()) c.question.places.push_back(node);
      c.question.sense = sense;
      const RankCut cut = rank_cut(c.fabric, c.question);
      EXPECT_EQ(Rational(cut.bandwidth_Bps, cut.lacking), least_by_hand(c));
      EXPECT_EQ(std::ssize(cut.links) * c.fabric.bandwidth_Bps(cut.links[0]), cut.bandwidth_Bps);
      const RankTrees trees = rank_trees(c.fabric, c.question);
      EXPECT_EQ(trees.reached_Bps(), trees.optimum_Bps);
      EXPECT_EQ(trees.count, cut.trees);
      expect_sound(c, trees);
    }
}

// The rate of so few trees is the best that there is.
TEST(RankTrees, take_no_more_trees_than_asked) {
  const Fabric fabric(topology::build_topology("genkautz:4,32"));
  RankTreesQuestion question{
      .places = {fabric.topology().hosts().begin(), fabric.topology().hosts().end()}};
  const RankTrees free = rank_trees(fabric, question);
  EXPECT_EQ(free.count, 3);
  EXPECT_EQ(free.reached_Bps(), free.optimum_Bps);
  question.most_trees = 1;
  const RankTrees one = rank_trees(fabric, question);
  EXPECT_EQ(one.count, 1);
  // 31 trees enter each node over three links or four: 11 over one of three at least
  EXPECT_EQ(one.rate_Bps, Rational(fabric.bandwidth_Bps(LinkId(0)), 11));
}

Case on_all_hosts(const char* expression, const topology::LinkOptions& links = {}) {
  Case c{Fabric(topology::build_topology(expression), links), {}};
  const auto hosts = c.fabric.topology().hosts();
  c.question.places.assign(hosts.begin(), hosts.end());
  return c;
}

// Where hosts are alike trees of one of them do for all. With as much bandwidth between switches as
// hosts have the root reaches all by itself; with less it needs the help of others, once.
TEST(RankTrees, are_shallow_where_hosts_are_alike) {
  const std::pair<const char*, std::int32_t> networks[]{
      {"fat-tree:4,3", 1},
      {"fat-tree-ports:4", 1},
      {"leaf-spine:leaves=4,spines=4,hosts=4", 1},
      {"leaf-spine:leaves=8,spines=8,hosts=16", 2},
      {"leaf-spine:leaves=5,spines=3,hosts=7", 2},
      {"leaf-spine:leaves=8,spines=1,hosts=8", 2},
      {"rail:boxes=8,gpus=4,spines=4", 2},
      {"hosts(4, torus:3x3)", 2}};
  for (const auto& [expression, depth] : networks)
    for (const Sense sense : {Sense::along, Sense::against}) {
      SCOPED_TRACE(expression);
      Case c = on_all_hosts(expression);
      c.question.sense = sense;
      const RankTrees trees = rank_trees(c.fabric, c.question);
      EXPECT_EQ(trees.reached_Bps(), trees.optimum_Bps);
      EXPECT_EQ(trees.count, trees.cut.trees);
      EXPECT_EQ(trees.depth(), depth);
      expect_sound(c, trees);
    }
}

TEST(RankTrees, reach_the_optimum_of_networks_with_some_symmetry) {
  for (const auto* expression :
       test::samples({"without(cable=70, leaf-spine:leaves=4,spines=8,hosts=16)",
                      "without(node=2, leaf-spine:leaves=4,spines=4,hosts=4)", "hosts(4, mesh:4x4)",
                      "hosts(2, genkautz:4,32)", "dragonfly:a=4,p=2,h=2", "hosts(3, mesh:4)"})) {
    SCOPED_TRACE(expression);
    Case c = on_all_hosts(expression);
    for (const std::size_t ranks_on_each : {1, 2}) {
      const RankTrees trees = rank_trees(c.fabric, c.question);
      EXPECT_EQ(trees.reached_Bps(), trees.optimum_Bps);
      EXPECT_EQ(std::ssize(trees.trees) % std::ssize(c.question.places), 0);
      expect_sound(c, trees);
      const std::vector<NodeId> once = c.question.places;
      c.question.places.insert(c.question.places.end(), once.begin(), once.end());
      if (ranks_on_each == 2) break;
    }
  }
}

// Leaves under spines of any numbers and speeds: hosts are alike, cuts are not.
TEST(RankTrees, reach_the_optimum_of_random_leaves_under_spines) {
  Rng rng(7);
  for (int round = 0; round < 200; ++round) {
    const auto any = [&](std::int64_t most) { return 1 + rng.below(most); };
    const std::string expression = "leaf-spine:leaves=" + std::to_string(any(4) + 1) +
                                   ",spines=" + std::to_string(any(4)) +
                                   ",hosts=" + std::to_string(any(5));
    SCOPED_TRACE(expression);
    topology::LinkOptions links;
    links.all = {1'000 * any(6), 0};
    links.by_class["terminal"] = {1'000 * any(6), 0};
    const Case c = on_all_hosts(expression.c_str(), links);
    const RankTrees trees = rank_trees(c.fabric, c.question);
    EXPECT_EQ(trees.reached_Bps(), trees.optimum_Bps);
    expect_sound(c, trees);
  }
}

// One link into a switch, ten out of it: each host gets a tenth, though each cut alone allows all.
// (tests/oracle/uneven_switches_test.py has random networks.)
TEST(RankTrees, share_what_a_switch_cannot_copy) {
  topology::TopologyBuilder builder(12);
  builder.set_kind(NodeId(0), topology::NodeKind::switch_node);
  builder.add_link(NodeId(1), NodeId(0));
  for (std::int32_t host = 2; host < 12; ++host) builder.add_link(NodeId(0), NodeId(host));
  const Fabric fabric(std::move(builder).build({"fan", "", {}}), {.bandwidth_Bps = 1'000});
  RankTreesQuestion question{.places = {}, .roots = {0}};
  for (std::int32_t host = 1; host < 12; ++host) question.places.push_back(NodeId(host));
  const RankTrees trees = rank_trees(fabric, question);
  EXPECT_EQ(trees.optimum_Bps, Rational(1'000));
  EXPECT_EQ(trees.reached_Bps(), Rational(100));
}

}  // namespace
}  // namespace weft::flow
