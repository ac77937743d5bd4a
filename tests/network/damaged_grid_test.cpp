// Dimension order on grids of which something failed: as on the whole grid where it can, around the
// hole where it cannot.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "support/judges/naive_routes.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {
namespace {

using Ends = std::pair<std::int32_t, std::int32_t>;
using Shares = std::map<Ends, Rational>;

// What crosses from node to node, by the numbers of the whole network.
Shares crossed(const Topology& topology, const Routing& routing, const Flow& flow) {
  const auto& holes = topology.facets().holes;
  const auto whole = [&](NodeId node) { return holes ? holes->whole(node.value()) : node.value(); };
  RouteTable routes;
  routing.route({&flow, 1}, routes);
  Shares shares;
  for (std::size_t l = 0; l < routes.links(0).size(); ++l) {
    const LinkId link = routes.links(0)[l];
    shares[{whole(topology.tail(link)), whole(topology.head(link))}] +=
        routes.shares(0).empty() ? Rational(1) : routes.shares(0)[l];
  }
  return shares;
}

Shares crossed(const char* expression, int from, int to, const char* routing = "dimension-order") {
  const Topology topology = make_topology(expression);
  return crossed(topology, *make_routing(routing, Fabric(topology, LinkSpeed{})),
                 {NodeId(from), NodeId(to)});
}

// The links of a walk, each with a share.
Shares walk(const std::vector<int>& nodes, const Rational& share = 1) {
  Shares shares;
  for (std::size_t i = 1; i < nodes.size(); ++i) shares[{nodes[i - 1], nodes[i]}] += share;
  return shares;
}

TEST(DamagedGrid, goes_the_other_way_round_a_ring) {
  EXPECT_EQ(crossed("without(cable=0~1, torus:5x4)", 0, 1), walk({0, 4, 3, 2, 1}));
  // Only the column is whole: the row first all the same.
  EXPECT_EQ(crossed("without(cable=0~1, torus:5x4)", 0, 6), walk({0, 4, 3, 2, 1, 6}));
  // One direction of the cable.
  EXPECT_EQ(crossed("without(link=0, ring:5)", 0, 1), walk({0, 4, 3, 2, 1}));
  EXPECT_EQ(crossed("without(link=0, ring:5)", 1, 0), walk({1, 0}));
}

TEST(DamagedGrid, does_not_split_half_way_where_one_way_is_cut) {
  EXPECT_EQ(crossed("without(cable=0~1, torus:4x4)", 0, 2), walk({0, 3, 2}));
  EXPECT_EQ(crossed("without(cable=0~1, torus:4x4)", 0, 2, "dimension-order-up"), walk({0, 3, 2}));
  Shares both = walk({4, 5, 6}, Rational(1, 2));
  both.merge(walk({4, 7, 6}, Rational(1, 2)));
  EXPECT_EQ(crossed("without(cable=0~1, torus:4x4)", 4, 6), both);  // the next row is whole
}

// Node = x + 3 y. From its source on a message takes a shortest path past the hole; destinations
// share the equal ones.
TEST(DamagedGrid, goes_around_where_no_way_is_whole) {
  EXPECT_EQ(crossed("without(cable=0~1, mesh:3x3)", 0, 1), walk({0, 3, 4, 1}));
  EXPECT_EQ(crossed("without(cable=1~2, mesh:3x3)", 1, 2), walk({1, 4, 5, 2}));
  EXPECT_EQ(crossed("without(cable=2~5, mesh:3x3)", 2, 8), walk({2, 1, 4, 5, 8}));
  EXPECT_EQ(crossed("without(cable=0~1, 2dfc:3x3)", 0, 1), walk({0, 2, 1}));
  const Shares by_a_row = crossed("without(cable=0~1, cable=2~3, torus:4x4)", 0, 1);
  EXPECT_TRUE(by_a_row == walk({0, 4, 5, 1}) || by_a_row == walk({0, 12, 13, 1}));
  // The node in the middle is gone: 4 of the whole grid is where 5 was.
  EXPECT_EQ(crossed("without(node=4, mesh:3x3)", 3, 4), walk({3, 0, 1, 2, 5}));
}

// The most that a link carries when every host sends one to every other.
Rational busiest(const Topology& topology) {
  const auto routing = make_routing("auto", Fabric(topology, LinkSpeed{}));
  EXPECT_EQ(routing->name(), "dimension-order");
  std::map<LinkId, Rational> loads;
  for (const Flow& flow : test::host_pairs(topology)) {
    RouteTable routes;
    routing->route({&flow, 1}, routes);
    for (const LinkId link : routes.links(0)) loads[link] += Rational(1);
  }
  Rational most = 0;
  for (const auto& [link, load] : loads) most = std::max(most, load);
  return most;
}

// What a dead cable carried is shared among all switches that lead as near. A cable between two of
// n switches with p hosts each carries p^2 both ways, and n - 2 others can relay; a table gives
// each of p destinations one of them, ceil(p / (n - 2)) to the busiest, from p hosts. A host's own
// cable carries p n - 1.
TEST(DamagedGrid, destinations_share_the_switches_that_relay) {
  EXPECT_EQ(busiest(make_topology("without(cable=0, hosts(6, complete:8))")), Rational(47));
  EXPECT_EQ(busiest(make_topology("without(cable=0, hosts(17, hyperx:18))")),
            Rational(17 * 17 + 2 * 17));
  // Of HyperX 4x4 with p = 4 a cable carries 64. The 16 hosts of the switch's row or column now
  // take the other dimension first: 16 more for each of three switches, and 16 over two others.
  for (const char* damaged :
       {"without(cable=0~1, hosts(4, hyperx:4x4))", "without(cable=0~4, hosts(4, hyperx:4x4))"})
    EXPECT_LE(busiest(make_topology(damaged)), Rational(64 + 16)) << damaged;
}

// Several dead cables of one switch: what they carried does not meet at one relay. Switch 0 lost
// its cables to 1, 2 and 3 of 8. Each of these has 6 destinations there, which share four relays:
// two to the busiest, from 6 hosts of each.
TEST(DamagedGrid, several_dead_cables_of_a_switch_share_relays) {
  const Topology topology =
      make_topology("without(cable=0~1, cable=0~2, cable=0~3, hosts(6, complete:8))");
  EXPECT_EQ(busiest(topology), Rational(6 * 6 + 3 * 2 * 6));
}

TEST(DamagedGrid, takes_the_parallel_links_that_are_left) {
  const Topology topology = make_topology("without(cable=0, hyperx:3,2)");
  const auto routing = make_routing("dimension-order", Fabric(topology, LinkSpeed{}));
  for (const Flow& flow : test::all_pairs(topology)) {
    if (flow.from == flow.to) continue;
    EXPECT_EQ(crossed(topology, *routing, flow), walk({flow.from.value(), flow.to.value()}));
  }
}

// Where the whole grid's way has lost nothing it is taken, and every flow arrives whole.
TEST(DamagedGrid, keeps_the_ways_that_are_whole) {
  const struct {
    const char *whole, *damaged;
  } cases[] = {{"torus:4x5", "without(cable=3, cable=17, torus:4x5)"},
               {"torus:3x4x2", "without(node=7, torus:3x4x2)"},
               {"mesh:4x4", "without(link=9, node=5, mesh:4x4)"},
               {"hamming:4x3", "without(cable=0, cable=20, hamming:4x3)"},
               {"hosts(2, torus:4x4)", "without(node=6, hosts(2, torus:4x4))"},
               {"hosts(2, torus:4x4)", "without(cable=6, node=20, hosts(2, torus:4x4))"}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.damaged);
    const Topology whole = make_topology(c.whole), left = make_topology(c.damaged);
    const auto before = make_routing("dimension-order", Fabric(whole, LinkSpeed{}));
    const auto after = make_routing("auto", Fabric(left, LinkSpeed{}));
    EXPECT_EQ(after->name(), "dimension-order");
    EXPECT_FALSE(after->translation_invariant());
    const topology::Holes& holes = *left.facets().holes;
    int kept = 0, changed = 0;
    for (const Flow& flow : test::host_pairs(left)) {
      if (left.out_degree(flow.from) == 0 || left.out_degree(flow.to) == 0) continue;
      const Shares shares = crossed(left, *after, flow);
      std::map<std::int32_t, Rational> excess;
      for (const auto& [ends, share] : shares) {
        excess[ends.first] += share;
        excess[ends.second] -= share;
      }
      for (const auto& [node, out] : excess)
        EXPECT_EQ(out, Rational(node == holes.whole(flow.from.value()) ? 1
                                : node == holes.whole(flow.to.value()) ? -1
                                                                       : 0));
      const Flow then{NodeId(holes.whole(flow.from.value())), NodeId(holes.whole(flow.to.value()))};
      const Shares old = crossed(whole, *before, then);
      const bool still = std::ranges::all_of(old, [&](const auto& entry) {
        const auto tail = holes.now(entry.first.first), head = holes.now(entry.first.second);
        return tail && head && left.find_link(NodeId(*tail), NodeId(*head));
      });
      if (still) {
        EXPECT_EQ(shares, old) << then.from.value() << " " << then.to.value();
      }
      ++(still ? kept : changed);
    }
    EXPECT_GT(kept, changed);
    EXPECT_GT(changed, 0);
  }
}

TEST(DamagedGrid, says_who_cannot_be_reached) {
  const Topology topology = make_topology("without(cable=0~1, cable=0~3, mesh:3x3)");
  const Flow flow{NodeId(8), NodeId(0)};
  RouteTable routes;
  EXPECT_THROW(make_routing("auto", Fabric(topology, LinkSpeed{}))->route({&flow, 1}, routes),
               InvalidInput);
}

}  // namespace
}  // namespace weft::network
