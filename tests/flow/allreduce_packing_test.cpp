// Trees of both halves of an allreduce: that they are trees, and what they put on links together.
#include "weft/flow/allreduce_packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/samples.hpp"
#include "weft/base/random.hpp"
#include "weft/topology/registry.hpp"

namespace weft::flow {
namespace {

using graph::Fraction;
using graph::Sense;

// Every tree joins all places by ways from its root (in: to it); each unit has one tree.
std::vector<std::int64_t> loads(const Topology& topology, const AllreducePacking& packed,
                                Sense sense) {
  const PlacedTrees& trees = sense == Sense::along ? packed.out : packed.in;
  std::vector<std::int64_t> rooted(trees.places.size(), 0), on_arc(trees.arcs.size(), 0);
  for (const graph::PackedTree& tree : trees.trees) {
    rooted[tree.root] += tree.multiplicity;
    for (std::size_t place = 0; place < trees.places.size(); ++place) {
      const graph::Branch& branch = tree.branches[place];
      if (branch.depth < 0) {
        EXPECT_EQ(static_cast<std::int32_t>(place), tree.root);
        continue;
      }
      EXPECT_EQ(trees.arcs[branch.arc].to, static_cast<std::int32_t>(place));
      EXPECT_EQ(trees.arcs[branch.arc].from, branch.parent);
      EXPECT_EQ(branch.depth, tree.branches[branch.parent].depth + 1);
      on_arc[branch.arc] += tree.multiplicity;
    }
  }
  EXPECT_EQ(rooted, packed.roots);
  std::vector<std::int64_t> load(static_cast<std::size_t>(topology.link_count()), 0);
  for (std::size_t i = 0; i < trees.arcs.size(); ++i) {
    std::int64_t room = 0;
    for (const LinkWay& way : trees.arcs[i].ways) {
      room += way.trees;
      NodeId at = trees.places[trees.arcs[i].from], to = trees.places[trees.arcs[i].to];
      if (sense == Sense::against) std::swap(at, to);
      for (const LinkId link : way.links) {
        EXPECT_EQ(topology.tail(link), at);
        at = topology.head(link);
        load[link.index()] += way.trees;
      }
      EXPECT_EQ(at, to);
    }
    EXPECT_LE(on_arc[i], room);
  }
  return load;
}

// What takes longest of what both bring, a byte.
Rational time_of(const Fabric& fabric, const AllreducePacking& packed) {
  const Topology& topology = fabric.topology();
  const auto out = loads(topology, packed, Sense::along),
             in = loads(topology, packed, Sense::against);
  EXPECT_EQ(std::accumulate(packed.roots.begin(), packed.roots.end(), std::int64_t{0}),
            packed.units);
  Rational time;
  for (const LinkId link : topology.links())
    time = std::max(time, Rational(out[link.index()] + in[link.index()], packed.units) /
                              Rational(fabric.bandwidth_Bps(link)));
  EXPECT_LE(time, packed.time_s_per_B);
  return time;
}

Fraction fraction(const Rational& value) {
  return Fraction(value.numerator()) / Fraction(value.denominator());
}

// T_B by trees that use all cables (tests/flow/allreduce_trees_test.cpp): 2 (N - 1) B over what
// all links have.
TEST(AllreducePacking, takes_all_cables) {
  for (const auto& [expression, factor] : {std::pair("mesh:4x4", Rational(5, 2)),
                                           {"mesh:3", Rational(2)},
                                           {"without(cable=3, torus:4x4)", Rational(60, 31)}}) {
    SCOPED_TRACE(expression);
    const Fabric fabric(topology::build_topology(expression));
    const std::vector<NodeId> places(fabric.topology().hosts().begin(),
                                     fabric.topology().hosts().end());
    const auto packed =
        allreduce_packing(fabric, places, allreduce_trees(fabric, {.places = places}));
    ASSERT_TRUE(packed);
    EXPECT_EQ(time_of(fabric, *packed) * Rational(fabric.node_egress_Bps()), factor);
  }
}

TEST(AllreducePacking, leaves_equal_shares_to_the_halves) {
  const Fabric fabric(topology::build_topology("torus:3x3"));
  const std::vector<NodeId> places(fabric.topology().hosts().begin(),
                                   fabric.topology().hosts().end());
  EXPECT_FALSE(allreduce_packing(fabric, places, allreduce_trees(fabric, {.places = places})));
}

// Up to 3 switches and 8 hosts, cables of many speeds, ranks on random hosts, some together.
Fabric random_fabric(Rng& rng) {
  const auto switches = static_cast<std::int32_t>(rng.below(4));
  const auto nodes = static_cast<std::int32_t>(switches + 3 + rng.below(6));
  topology::TopologyBuilder builder(nodes);
  for (std::int32_t s = 0; s < switches; ++s)
    builder.set_kind(NodeId(s), topology::NodeKind::switch_node);
  topology::LinkOptions speeds;
  const auto join = [&](std::int64_t a, std::int64_t b) {
    const std::string name = "speed" + std::to_string(rng.below(5));
    speeds.by_class[name] = {1'000 + 3'000 * std::int64_t{name.back() - '0'}, 0};
    if (a != b)
      builder.add_cable(NodeId(static_cast<std::int32_t>(a)), NodeId(static_cast<std::int32_t>(b)),
                        builder.link_class(name));
  };
  for (std::int32_t node = 1; node < nodes; ++node)
    join(node, rng.below(switches > 0 ? std::min(node, switches) : node));
  for (std::int64_t i = rng.below(std::int64_t{2} * nodes); i > 0; --i)
    join(rng.below(nodes), rng.below(switches > 0 ? switches : nodes));
  const Topology topology = std::move(builder).build({"random", "", {}});
  std::erase_if(speeds.by_class, [&](const auto& speed) {
    return std::ranges::count(topology.class_names(), speed.first) == 0;
  });
  return Fabric(topology::BuiltTopology{topology, {}}, speeds);
}

// Trees in just the time that is proven to be the least; with one unit a block, where all nodes
// have ranks, in no less.
TEST(AllreducePacking, reaches_the_least_time_of_random_networks) {
  Rng rng(11);
  int packed_ones = 0, exact_ones = 0, rounded = 0;
  for (int round = 0; round < test::samples(400); ++round) {
    SCOPED_TRACE(round);
    const Fabric fabric = random_fabric(rng);
    std::vector<NodeId> places(fabric.topology().hosts().begin(), fabric.topology().hosts().end());
    if (rng.below(4) == 0) places.push_back(places.front());
    const AllreduceTrees trees = allreduce_trees(fabric, {.places = places});
    ASSERT_TRUE(trees.is_exact());
    const auto packed = allreduce_packing(fabric, places, trees);
    if (!packed) continue;  // equal shares are best, or fractions are of large numbers
    ++packed_ones;
    EXPECT_GE(fraction(time_of(fabric, *packed)), trees.least_s_per_B);
    EXPECT_LE(
        time_of(fabric, *packed).to_double(),  // of 4,096 units a block where 2^20 are too few
        1.001 * trees.least_s_per_B.convert_to<double>());
    if (fraction(time_of(fabric, *packed)) == trees.least_s_per_B) ++exact_ones;
    const auto coarse = allreduce_packing(fabric, places, trees, 1);
    if (!coarse) continue;
    ++rounded;
    EXPECT_EQ(coarse->units % std::ssize(places), 0);
    EXPECT_GE(fraction(time_of(fabric, *coarse)), trees.least_s_per_B);
  }
  EXPECT_GT(packed_ones, test::samples(200));
  EXPECT_GT(exact_ones, packed_ones - 5);
  EXPECT_GT(rounded, test::samples(30));
}

// Leaves joined by slow links one way: whatever the units, what enters a switch leaves it, or no
// trees were found, and 100 of a block come near the least time.
TEST(AllreducePacking, rounds_what_passes_switches) {
  Rng rng(5);
  int rounded = 0;
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    const Fabric fabric = random_fabric(rng);
    if (!fabric.topology().has_switches()) continue;
    const std::vector<NodeId> places(fabric.topology().hosts().begin(),
                                     fabric.topology().hosts().end());
    const AllreduceTrees trees = allreduce_trees(fabric, {.places = places});
    for (const std::int64_t units : {1, 7, 100}) {
      const auto coarse = allreduce_packing(fabric, places, trees, units);
      EXPECT_EQ(coarse.has_value(), allreduce_packing(fabric, places, trees).has_value());
      if (!coarse) continue;
      ++rounded;
      EXPECT_GE(fraction(time_of(fabric, *coarse)), trees.least_s_per_B);
      if (units < 100) continue;  // what rounding adds is no small part of few
      EXPECT_LE(time_of(fabric, *coarse).to_double(),
                1.2 * trees.least_s_per_B.convert_to<double>());
    }
  }
  EXPECT_GT(rounded, 60);
}

// A link brings 2.24 / 4 of the buffer of 70 blocks, of 40 units each: 1,570 units, to which the
// rounding of shares and of links adds a few.
TEST(AllreducePacking, rounds_what_has_large_denominators) {
  const Fabric fabric(topology::build_topology("mesh:7x10"));
  const std::vector<NodeId> places(fabric.topology().hosts().begin(),
                                   fabric.topology().hosts().end());
  const AllreduceTrees trees = allreduce_trees(fabric, {.places = places});
  const auto exact = allreduce_packing(fabric, places, trees);
  const auto coarse = allreduce_packing(fabric, places, trees, 40);  // 41 make all whole
  ASSERT_TRUE(exact && coarse);
  EXPECT_EQ(coarse->units, 70 * 40);
  EXPECT_EQ(fraction(time_of(fabric, *exact)), trees.least_s_per_B);
  EXPECT_LE(time_of(fabric, *coarse).to_double(), 1.01 * trees.least_s_per_B.convert_to<double>());
}

}  // namespace
}  // namespace weft::flow
