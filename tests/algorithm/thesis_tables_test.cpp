// Tables 2.1, 3.1 and 4.1 of the thesis on Kautz and 2dfc networks (Pham, 2026), measured from
// networks and schedules. Tables 3.2 and 4.2 are in message_combine_test, multitree_test and
// hamming_test, and in experiments/.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/multi_dimensional.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using test::on;

TEST(Table2_1, holds_for_many_extents) {
  for (int m = 2; m <= 16; ++m)
    for (int n = 2; n <= 16; ++n) {
      const Network network = on(fmt::format("2dfc:{}x{}", m, n));
      const Topology& topology = network.topology();
      EXPECT_EQ(topology.nodes().size(), static_cast<std::size_t>(m * n));
      EXPECT_EQ(topology.nominal_degree(), m - 1 + n - 1);
      EXPECT_EQ(topology.links().size(), static_cast<std::size_t>(m * n * (m + n - 2)));
      EXPECT_EQ(analysis::summarize_distances(topology).diameter(), 2) << m << "x" << n;
    }
}

using ArcSet = std::set<std::pair<std::int32_t, std::int32_t>>;

/// The root whose tree carries a block: of an all-to-all its source, of a rooted collective the
/// root, else the block's own rank.
std::int32_t root_of(const Collective& collective, std::int64_t block) {
  if (collective.rooted()) return collective.root.value();
  const std::int64_t ranks = collective.ranks;
  return static_cast<std::int32_t>(collective.kind == CollectiveKind::alltoall ? block / ranks
                                                                               : block);
}

/// The links over which each root's blocks go.
std::map<std::int32_t, ArcSet> trees_of(const Schedule& schedule) {
  std::map<std::int32_t, ArcSet> trees;
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m) {
    const schedule::Message& message = schedule.message(m);
    for (const schedule::Piece& piece : schedule.pieces(m))
      for (std::int64_t unit = piece.first; unit < piece.first + piece.count; ++unit)
        trees[root_of(schedule.collective(), unit / schedule.units_per_block())].insert(
            {message.from.value(), message.to.value()});
  }
  return trees;
}

/// Whether every node but the root ends (`outgoing`) or begins one of the arcs, and the root none.
bool spans(const ArcSet& arcs, std::int32_t root, std::int32_t nodes, bool outgoing) {
  std::vector<int> count(static_cast<std::size_t>(nodes), 0);
  for (const auto& [from, to] : arcs) ++count[outgoing ? to : from];
  for (std::int32_t node = 0; node < nodes; ++node)
    if (count[node] != (node == root ? 0 : 1)) return false;
  return true;
}

void expect_trees(const char* topology, const char* algorithm, CollectiveKind kind, bool outgoing) {
  const Network network = on(topology);
  const Collective collective{.kind = kind, .ranks = network.ranks()};
  const auto trees = trees_of(build_schedule(algorithm, collective, &network));
  ASSERT_EQ(std::ssize(trees), collective.rooted() ? 1 : network.ranks());
  for (const auto& [root, arcs] : trees) {
    EXPECT_TRUE(spans(arcs, root, network.ranks(), outgoing))
        << topology << algorithm << schedule::name_of(kind) << root;
    EXPECT_FALSE(spans(arcs, root, network.ranks(), !outgoing))
        << topology << algorithm << schedule::name_of(kind) << root;
    for (const auto& [from, to] : arcs)
      EXPECT_TRUE(network.topology().find_link(NodeId(from), NodeId(to)));
  }
}

TEST(Table3_1, collecting_collectives_use_incoming_trees) {
  for (const char* topology : {"kautz:2,2", "kautz:3,2", "kautz:2,3"})
    for (const char* algorithm : {"multitree", "kautz-c"})
      for (const CollectiveKind kind :
           {CollectiveKind::reduce, CollectiveKind::gather, CollectiveKind::reduce_scatter})
        expect_trees(topology, algorithm, kind, false);
}

TEST(Table3_1, spreading_collectives_use_outgoing_trees) {
  for (const char* topology : {"kautz:2,2", "kautz:3,2", "kautz:2,3"})
    for (const char* algorithm : {"multitree", "kautz-c"})
      for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::scatter,
                                        CollectiveKind::allgather, CollectiveKind::alltoall})
        expect_trees(topology, algorithm, kind, true);
}

/// Blocks over the busiest link of a dimension in a step, apart for D1 and D2.
struct Loads {
  Rational d1 = 0, d2 = 0;
};

/// By step and dimension. No link has two messages in a step (hamming_test), so that the largest
/// message is the largest load. D1 is the part of every block that goes along x first.
std::vector<std::vector<Loads>> loads_of(const Schedule& schedule, std::int32_t m1,
                                         const Rational& x) {
  const std::int64_t units = schedule.units_per_block();
  std::vector<std::vector<Loads>> loads(2, std::vector<Loads>(2));
  for (std::int64_t t = 0; t < 2; ++t)
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const schedule::Message& message = schedule.message(m);
      std::int64_t first = 0, second = 0;
      for (const schedule::Piece& piece : schedule.pieces(m))
        for (std::int64_t unit = piece.first; unit < piece.first + piece.count; ++unit)
          ++(Rational(unit % units, units) < x ? first : second);
      const bool along_x = message.from.value() / m1 == message.to.value() / m1;
      Loads& most = loads[t][along_x ? 0 : 1];
      most.d1 = std::max(most.d1, Rational(first, units));
      most.d2 = std::max(most.d2, Rational(second, units));
    }
  return loads;
}

// With x = m1 / (m1 + m2), the mended Eq. 4.6: step 1 takes x m2 along x for D1 and (1 - x) m1
// along y for D2, step 2 takes x m1 along y for D1 and (1 - x) m2 along x for D2.
TEST(Table4_1, steps_of_both_parts_take_what_is_printed) {
  for (int m1 = 2; m1 <= 16; ++m1)
    for (int m2 = 2; m2 <= 16; m2 += m1 % 3 + 1) {
      const Network network = on(fmt::format("2dfc:{}x{}", m1, m2));
      const Rational x(m1, m1 + m2), rest = Rational(1) - x;
      const auto loads =
          loads_of(build_schedule("md", schedule::alltoall(network.ranks()), &network), m1, x);
      EXPECT_EQ(loads[0][0].d1, x * m2) << m1 << "x" << m2;
      EXPECT_EQ(loads[0][1].d2, rest * m1) << m1 << "x" << m2;
      EXPECT_EQ(loads[1][1].d1, x * m1) << m1 << "x" << m2;
      EXPECT_EQ(loads[1][0].d2, rest * m2) << m1 << "x" << m2;
      for (const Rational& other : {loads[0][0].d2, loads[0][1].d1, loads[1][1].d2, loads[1][0].d1})
        EXPECT_EQ(other, Rational(0)) << m1 << "x" << m2;
      // Eq. 4.7: how long one part waits for the other in the second step.
      const Rational wait =
          std::max(loads[1][1].d1, loads[1][0].d2) - std::min(loads[1][1].d1, loads[1][0].d2);
      EXPECT_EQ(wait, Rational(std::abs(m1 - m2))) << m1 << "x" << m2;
    }
}

}  // namespace
}  // namespace weft::algorithm
