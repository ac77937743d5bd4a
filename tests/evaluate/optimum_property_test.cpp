// T_B* of what a cut tells, against every cut of thousands of random networks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "support/judges/every_cut.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/network/routing.hpp"

namespace weft::evaluate {
namespace {

using test::NodeSet;

// Parts of M that leave a set of nodes at least: blocks of M / N of ranks inside for those outside,
// what all outside add up to, or the root's.
Rational leaving(const Collective& collective, const std::vector<NodeId>& places,
                 const NodeSet& set) {
  const auto all = std::ssize(places);
  const auto inside = std::ranges::count_if(places, [&](NodeId node) { return set.holds(node); });
  const bool has_root = set.holds(places[static_cast<std::size_t>(collective.root.value())]);
  switch (collective.kind) {
    case CollectiveKind::allgather:
      return inside < all ? Rational(inside, all) : Rational(0);
    case CollectiveKind::reduce_scatter:  // sums for each rank outside
      return inside > 0 ? Rational(all - inside, all) : Rational(0);
    case CollectiveKind::broadcast:
      return Rational(has_root && inside < all ? 1 : 0);
    case CollectiveKind::reduce:
      return Rational(!has_root && inside > 0 ? 1 : 0);
    case CollectiveKind::scatter:
      return has_root ? Rational(all - inside, all) : Rational(0);
    default:  // gather
      return has_root ? Rational(0) : Rational(inside, all);
  }
}

// T_B in M / (bytes/s); nothing where something has no way.
std::optional<Rational> tightest(const Collective& collective, const Fabric& fabric,
                                 const std::vector<NodeId>& places) {
  Rational most(0);
  for (const NodeSet& set : test::every_cut(fabric.topology(), test::capacities(fabric), places)) {
    const Rational parts = leaving(collective, places, set);
    if (parts == 0) continue;
    if (set.leaving == 0) return std::nullopt;
    most = std::max(most, parts / Rational(set.leaving));
  }
  return most;
}

// That the cut says what it says, by its nodes.
void expect_adds_up(const flow::RankCut& cut, const Fabric& fabric) {
  const std::set<NodeId> inside(cut.inside.begin(), cut.inside.end());
  std::int64_t bandwidth_Bps = 0;
  for (const LinkId link : cut.links) {
    EXPECT_NE(inside.contains(fabric.topology().tail(link)),
              inside.contains(fabric.topology().head(link)));
    bandwidth_Bps += fabric.bandwidth_Bps(link);
  }
  EXPECT_EQ(cut.bandwidth_Bps, bandwidth_Bps);
}

TEST(OptimumProperty, is_that_of_the_tightest_of_all_cuts) {
  Rng rng(15);
  const int rounds = test::samples(3'000);
  std::map<CollectiveKind, int> known;
  int apart = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto directions = rng.below(2) == 0 ? test::Directions::alike : test::Directions::unlike;
    const Fabric fabric = test::random_fabric(rng, directions);
    const Placement placement{test::random_places(rng, fabric.topology(), 9)};
    const std::vector<NodeId>& places = placement.nodes;
    if (std::set(places.begin(), places.end()).size() < 2) continue;
    const Network network(fabric, placement, {}, make_routing("shortest", fabric));
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::broadcast,
          CollectiveKind::reduce, CollectiveKind::scatter, CollectiveKind::gather}) {
      SCOPED_TRACE(fmt::format("round {}, {}", round, schedule::name_of(kind)));
      Collective collective{.kind = kind, .ranks = network.ranks()};
      if (collective.rooted())
        collective.root = Rank(static_cast<std::int32_t>(rng.below(network.ranks())));
      const auto expected = tightest(collective, fabric, places);
      if (!expected) {
        ++apart;
        EXPECT_FALSE(optimum_by_cut(collective, network));
        EXPECT_THROW(optimum(collective, network), InvalidInput);
        continue;
      }
      ++known[kind];
      const Optimum best = optimum(collective, network);
      EXPECT_EQ(best.bandwidth_factor, *expected * Rational(fabric.node_egress_Bps()));
      EXPECT_EQ(optimum_by_cut(collective, network), best.bandwidth_factor);
      expect_adds_up(std::get<flow::RankCut>(best.certificate), fabric);
    }
  }
  EXPECT_EQ(known.size(), 6U);
  for (const auto& [kind, count] : known) EXPECT_GT(count, rounds / 2) << schedule::name_of(kind);
  EXPECT_GT(apart, rounds / 100);
}

}  // namespace
}  // namespace weft::evaluate
