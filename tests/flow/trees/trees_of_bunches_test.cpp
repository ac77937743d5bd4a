// Trees of bunches of hosts: what they put on links, and where hosts may stand for others.
#include "weft/flow/trees/trees_of_bunches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "weft/base/random.hpp"
#include "weft/flow/trees/bunches.hpp"
#include "weft/topology/registry.hpp"

namespace weft::flow {
namespace {

using graph::Sense;

struct Case {
  Fabric fabric;
  Carrier carrier;
  graph::TreeRate rate;
  Sense sense;
};

// So many times the fewest trees that reach the optimum, or nearly.
Case case_of(Fabric fabric, const RankTreesQuestion& question, std::int64_t times = 1) {
  Carrier carrier = carrier_of(fabric, question);
  const graph::TreeCut cut =
      graph::tightest_cut(carrier.nodes, carrier.arcs, carrier.roots, carrier.goals);
  graph::TreeRate rate = graph::fewest_trees(carrier.nodes, carrier.arcs, carrier.roots,
                                             carrier.goals, cut, question.most_trees);
  if (times > 1)
    rate = graph::greatest_rate(carrier.nodes, carrier.arcs, carrier.roots, carrier.goals, cut,
                                times * rate.trees);
  return {std::move(fabric), std::move(carrier), std::move(rate), question.sense};
}

// Each place but the root joins each tree once, after its parent, over ways of links from one to
// the other; as many trees as asked for of each root; no arc takes more than the rate allows.
void expect_sound(const Case& c, const PlacedTrees& trees) {
  const Topology& topology = c.fabric.topology();
  std::vector<std::int64_t> taken(trees.arcs.size(), 0), of_root(c.carrier.roots.size(), 0);
  for (const graph::PackedTree& tree : trees.trees) {
    of_root[tree.root] += tree.multiplicity;
    for (std::size_t place = 0; place < trees.places.size(); ++place) {
      const graph::Branch& branch = tree.branches[place];
      const bool is_root = trees.places[place].value() == c.carrier.roots[tree.root].node;
      EXPECT_EQ(branch.depth < 0, is_root);
      if (is_root) continue;
      EXPECT_EQ(branch.depth, tree.branches[branch.parent].depth + 1);
      EXPECT_EQ(trees.arcs[branch.arc].to, static_cast<std::int32_t>(place));
      EXPECT_EQ(trees.arcs[branch.arc].from, branch.parent);
      taken[branch.arc] += tree.multiplicity;
    }
  }
  EXPECT_EQ(of_root, std::vector(c.carrier.roots.size(), c.rate.trees));
  std::vector<std::int64_t> load(static_cast<std::size_t>(topology.link_count()), 0);
  for (std::size_t i = 0; i < trees.arcs.size(); ++i) {
    NodeId from = trees.places[trees.arcs[i].from], to = trees.places[trees.arcs[i].to];
    if (c.sense == Sense::against) std::swap(from, to);
    for (const LinkWay& way : trees.arcs[i].ways) {
      NodeId at = from;
      for (const LinkId link : way.links) {
        ASSERT_EQ(topology.tail(link), at);
        EXPECT_TRUE(at == from || !topology.is_host(at));
        at = topology.head(link);
        load[link.index()] += way.trees;
      }
      EXPECT_EQ(at, to);
      taken[i] -= way.trees;
    }
    EXPECT_EQ(taken[i], 0);
  }
  for (std::size_t i = 0; i < c.carrier.links.size(); ++i)
    EXPECT_LE(load[c.carrier.links[i].index()], c.rate.arcs[i].capacity);
}

// Two to four switches, joined at random at any of four speeds, up to five hosts on each, those of
// a switch mostly alike; sometimes two ranks on each, or trees of one rank alone.
Case random_case(Rng& rng) {
  const auto switches = static_cast<std::int32_t>(2 + rng.below(3));
  std::vector<std::pair<std::int32_t, std::int64_t>> hosts;  // their switches and speeds
  for (std::int32_t at = 0; at < switches; ++at) {
    const std::int64_t speed = rng.below(4);
    for (std::int64_t i = 1 + rng.below(5); i > 0; --i)
      hosts.emplace_back(at, rng.below(8) == 0 ? rng.below(4) : speed);
  }
  topology::TopologyBuilder builder(switches + std::ssize(hosts));
  std::vector<topology::ClassId> classes;
  topology::LinkOptions speeds;
  for (const char* name : {"a", "b", "c", "d"}) {
    classes.push_back(builder.link_class(name));
    speeds.by_class[name] = {1'000 * (1 + rng.below(6)), 0};
  }
  const auto any_class = [&] { return classes[rng.below(4)]; };
  for (std::int32_t at = 0; at < switches; ++at) {
    builder.set_kind(NodeId(at), topology::NodeKind::switch_node);
    if (at > 0)
      builder.add_cable(NodeId(at), NodeId(static_cast<std::int32_t>(rng.below(at))), any_class());
  }
  for (std::int64_t i = rng.below(4); i > 0; --i) {
    const auto from = static_cast<std::int32_t>(rng.below(switches));
    const auto to = static_cast<std::int32_t>(rng.below(switches));
    if (from != to) builder.add_cable(NodeId(from), NodeId(to), any_class());
  }
  RankTreesQuestion question;
  const std::int64_t ranks = 1 + rng.below(2);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const NodeId host(switches + static_cast<std::int32_t>(i));
    builder.add_cable(host, NodeId(hosts[i].first), classes[hosts[i].second]);
    for (std::int64_t rank = 0; rank < ranks; ++rank) question.places.push_back(host);
  }
  if (rng.below(5) == 0) question.roots = {0};
  if (rng.below(2) == 0) question.sense = Sense::against;
  question.most_trees = 200;
  const topology::BuiltTopology built{std::move(builder).build({"random", "", {}}), {}};
  return case_of(Fabric(built, speeds), question, 1 + rng.below(6));
}

// A host stands for others only where no cut is lost, so that as many trees fit.
TEST(BunchedTrees, fit_wherever_trees_of_hosts_do) {
  Rng rng(15);
  int bunched = 0, many_alike = 0, of_one = 0;
  for (int round = 0; round < 1'500; ++round) {
    SCOPED_TRACE(round);
    const Case c = random_case(rng);
    const auto bunches = bunches_of(c.carrier, c.rate);
    if (!bunches) continue;
    EXPECT_LT(bunches->bunches.size(), c.carrier.places.size());
    EXPECT_FALSE(
        graph::overfull_cut(c.carrier.nodes, bunches->arcs, bunches->roots, bunches->goals));
    const auto trees = trees_of_bunches(c.fabric.topology(), c.carrier, c.rate, c.sense);
    ASSERT_TRUE(trees);  // cables: as much enters a switch as leaves it
    expect_sound(c, *trees);
    ++bunched;
    of_one += c.carrier.roots.size() == 1 ? 1 : 0;
    many_alike +=
        std::ranges::any_of(trees->trees,
                            [](const graph::PackedTree& tree) { return tree.multiplicity > 1; })
            ? 1
            : 0;
  }
  EXPECT_GT(bunched, 400);
  EXPECT_GT(many_alike, 100);
  EXPECT_GT(of_one, 50);
}

TEST(BunchedTrees, fit_behind_switches_of_any_wiring) {
  for (const auto& [expression, bunches] : {std::pair("hosts(4, random-regular:16,4)", 16),
                                            {"dragonfly:a=4,p=2,h=2", 36},
                                            {"without(cable=30, dragonfly:a=4,p=2,h=2)", 36},
                                            {"hosts(3, mesh:3x3)", 9},
                                            {"leaf-spine:leaves=5,spines=3,hosts=7", 5}})
    for (const Sense sense : {Sense::along, Sense::against}) {
      SCOPED_TRACE(expression);
      Fabric fabric(topology::build_topology(expression));
      const auto hosts = fabric.topology().hosts();
      const Case c = case_of(fabric, {.places = {hosts.begin(), hosts.end()}, .sense = sense});
      EXPECT_EQ(std::ssize(bunches_of(c.carrier, c.rate)->bunches), bunches);
      const auto trees = trees_of_bunches(c.fabric.topology(), c.carrier, c.rate, sense);
      ASSERT_TRUE(trees);
      expect_sound(c, *trees);
    }
}

// Three of four hosts are on one switch and take 3 trees each. Among them all 4 trees are passed on
// twice: of the 9 messages that they send one is left for the fourth host, which lacks 3.
TEST(BunchedTrees, do_not_bunch_most_of_all_hosts) {
  topology::TopologyBuilder builder(6);
  for (const std::int32_t at : {4, 5})
    builder.set_kind(NodeId(at), topology::NodeKind::switch_node);
  for (std::int32_t host = 0; host < 4; ++host)
    builder.add_cable(NodeId(host), NodeId(host < 3 ? 4 : 5));
  builder.add_cable(NodeId(4), NodeId(5));
  const topology::BuiltTopology built{std::move(builder).build({"uneven", "", {}}), {}};
  const Case c = case_of(Fabric(built), {.places = {NodeId(0), NodeId(1), NodeId(2), NodeId(3)}});
  EXPECT_EQ(c.rate.arcs.front().capacity, 3);
  EXPECT_FALSE(bunches_of(c.carrier, c.rate));
}

}  // namespace
}  // namespace weft::flow
