// Rank trees against every cut of small networks, and what trees put on links.
#include "weft/flow/rank_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/topology/registry.hpp"

namespace weft::flow {
namespace {

using graph::Sense;
using topology::BuiltTopology;

struct Case {
  Fabric fabric;
  RankTreesQuestion question;
};

// Up to 3 switches and 6 hosts, links of four speeds, ranks on random hosts, some together. Of two
// ways: what enters a switch is what leaves it.
Case random_case(Rng& rng, bool two_ways) {
  const auto switches = static_cast<std::int32_t>(rng.below(4));
  const auto hosts = static_cast<std::int32_t>(2 + rng.below(5));
  const std::int32_t nodes = switches + hosts;
  topology::TopologyBuilder builder(nodes);
  for (std::int32_t s = 0; s < switches; ++s)
    builder.set_kind(NodeId(s), topology::NodeKind::switch_node);
  std::vector<topology::ClassId> classes;
  for (const char* name : {"a", "b", "c", "d"}) classes.push_back(builder.link_class(name));
  const auto any = [&](std::int32_t count) {
    return NodeId(static_cast<std::int32_t>(rng.below(count)));
  };
  const auto join = [&](NodeId from, NodeId to) {
    const topology::ClassId speed = classes[rng.below(4)];
    if (two_ways || rng.below(3) > 0)
      builder.add_cable(from, to, speed);
    else
      builder.add_link(from, to, speed);
  };
  for (std::int32_t h = switches; h < nodes; ++h)
    join(NodeId(h), switches > 0 ? any(switches) : any(nodes));
  for (std::int64_t i = rng.below(std::int64_t{2} * nodes); i > 0; --i)
    join(any(nodes), switches > 0 && rng.below(4) > 0 ? any(switches) : any(nodes));
  topology::LinkOptions speeds;
  for (const char* name : {"a", "b", "c", "d"})
    speeds.by_class[name] = {1'000 * (1 + rng.below(6)), 0};
  Case result{Fabric(BuiltTopology{std::move(builder).build({"random", "", {}}), {}}, speeds), {}};
  for (std::int64_t r = 2 + rng.below(6); r > 0; --r)
    result.question.places.push_back(
        NodeId(static_cast<std::int32_t>(switches + rng.below(hosts))));
  if (rng.below(3) == 0)
    result.question.roots = {0};
  else if (rng.below(4) == 0)
    result.question.goal = 0;
  if (rng.below(2) == 0) result.question.sense = Sense::against;
  return result;
}

// The least bandwidth for each root that is cut off, over all sets of nodes with a rank; hosts
// without ranks pass nothing on beside switches. Nothing where none is cut off by any.
std::optional<Rational> least_by_hand(const Case& c) {
  const Topology& topology = c.fabric.topology();
  const auto& [places, roots, goal, sense, most] = c.question;
  const auto ranked = [&c](NodeId node) { return std::ranges::count(c.question.places, node) > 0; };
  const auto gone = [&](NodeId node) {
    return topology.has_switches() && topology.is_host(node) && !ranked(node);
  };
  std::optional<Rational> least;
  for (std::uint32_t set = 1; set + 1 < (1U << topology.node_count()); ++set) {
    const auto inside = [&](NodeId node) { return (set >> node.value() & 1U) != 0; };
    if (goal ? !inside(places[0]) : std::ranges::none_of(places, inside)) continue;
    std::int64_t lacking = 0, bandwidth = 0;
    for (std::size_t rank = 0; rank < places.size(); ++rank)
      if ((roots.empty() || rank == 0) && !inside(places[rank])) ++lacking;
    if (lacking == 0) continue;
    for (const LinkId link : topology.links()) {
      NodeId from = topology.tail(link), to = topology.head(link);
      if (gone(from) || gone(to)) continue;
      if (sense == Sense::against) std::swap(from, to);
      if (!inside(from) && inside(to)) bandwidth += c.fabric.bandwidth_Bps(link);
    }
    const Rational rate(bandwidth, lacking);
    if (!least || rate < *least) least = rate;
  }
  return least;
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

class EveryCut : public testing::TestWithParam<bool> {};

TEST_P(EveryCut, is_no_tighter_than_the_one_found) {
  Rng rng(31);
  const bool two_ways = GetParam();
  int reached = 0, lost = 0, apart = 0, to_one = 0;
  for (int round = 0; round < 3'000; ++round) {
    SCOPED_TRACE(round);
    const Case c = random_case(rng, two_ways);
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
  EXPECT_GT(reached, 1'000);
  EXPECT_GT(apart, 10);
  EXPECT_GT(to_one, 300);
  EXPECT_TRUE(!two_ways || lost == 0) << lost;
}

INSTANTIATE_TEST_SUITE_P(RankTrees, EveryCut, testing::Bool(), [](const auto& way) {
  return way.param ? "of_cables" : "of_one_way_links";
});

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
       {"without(cable=70, leaf-spine:leaves=4,spines=8,hosts=16)",
        "without(node=2, leaf-spine:leaves=4,spines=4,hosts=4)", "hosts(4, mesh:4x4)",
        "hosts(2, genkautz:4,32)", "dragonfly:a=4,p=2,h=2", "hosts(3, mesh:4)"}) {
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
