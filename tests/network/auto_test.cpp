// What `auto` stands for, and how it loads the links.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/judges/naive_routes.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/network/default_routing.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

// The load of each link when every host sends one unit to every other host.
std::vector<Rational> all_to_all(const Topology& topology, const Routing& routing) {
  const auto flows = test::host_pairs(topology);
  RouteTable routes;
  routing.route(flows, routes);
  std::vector<Rational> loads(static_cast<std::size_t>(topology.link_count()));
  for (std::int64_t i = 0; i < routes.size(); ++i)
    for (std::size_t l = 0; l < routes.links(i).size(); ++l)
      loads[routes.links(i)[l].index()] +=
          routes.shares(i).empty() ? Rational(1) : routes.shares(i)[l];
  return loads;
}

Rational busiest(const char* expression, const char* routing) {
  const Topology topology = make_topology(expression);
  const auto loads = all_to_all(topology, *make_routing(routing, Fabric(topology, LinkSpeed{})));
  return *std::ranges::max_element(loads);
}

TEST(Auto, is_what_such_a_machine_does) {
  const std::map<std::string, std::string> expected{
      {"xgft:2;16,8;1,8", "d-mod-k"},
      {"fat-tree:4,3", "d-mod-k"},
      {"without(cable=20, xgft:2;4,4;1,4)", "d-mod-k"},
      {"fat-tree-ports:4", "d-mod-k"},
      {"leaf-spine:leaves=4,spines=2,hosts=4", "d-mod-k"},
      {"leaf-spine:leaves=4,spines=2,hosts=4,uplinks=4", "shortest-split"},
      {"clos:pods=2,leaves=2,spines=2,cores=4,hosts=3", "d-mod-k"},
      {"rail:boxes=4,gpus=4,spines=2", "shortest-split"},
      {"boxes(4, xgft:1;4;1, leaf-spine:leaves=2,spines=2,hosts=8)", "widest-split"},
      {"boxes(4, xgft:1;4;1, leaf-spine:leaves=4,spines=2,hosts=4)", "widest-split"},
      {"boxes(4, xgft:1;4;1, leaf-spine:leaves=16,spines=2,hosts=1)", "shortest-split"},
      {"boxes(4, wiring=rail, xgft:1;4;1)", "shortest-split"},
      {"planes(2, leaf-spine:leaves=4,spines=2,hosts=4)", "shortest-split"},
      {"dragonfly:a=4,p=2,h=2", "minimal"},
      {"dragonfly:a=4,p=2,h=2,g=5", "minimal-split"},
      {"planes(2, dragonfly:a=4,p=2,h=2)", "minimal-split"},
      {"boxes(5, xgft:1;4;1, dragonfly:a=2,p=2,h=2,g=5)", "minimal-split"},
      {"without(node=0, planes(2, dragonfly:a=4,p=2,h=2))", "minimal-split"},
      {"dragonfly-plus:l=2,s=2,p=2,h=2", "minimal"},
      {"hosts(3, slimfly:5)", "minimal"},
      {"polarfly:4", "minimal"},
      {"hyperx:4x3,2,3", "dimension-order"},
      {"torus:4x4x4", "dimension-order"},
      {"hosts(2, torus:4x4)", "dimension-order"},
      {"mesh:3x4", "dimension-order"},
      {"2dfc:4x4", "dimension-order"},
      {"hypercube:4", "dimension-order"},
      {"complete:5", "dimension-order"},
      {"hosts(2, random-regular:10,3,seed=4)", "shortest-split"},
      {"without(cable=3, dragonfly:a=4,p=2,h=2)", "minimal-split"},
      {"without(cable=0, torus:8x8)", "dimension-order"},
      {"without(node=1, hosts(1, torus:4x4))", "dimension-order"},
      {"without(cable=1, hyperx:4x3,2,3)", "dimension-order"},
      {"without(cable=0, ring:4 * complete:4)", "shortest-split"},
      {"kautz:2,3", "shortest"},
      {"without(cable=0, random-regular:10,3,seed=4)", "shortest-split"},
      {"uniring:5", "shortest-split"},
      {"polarstar:q=2,iq=3", "widest-split"},
      {"hosts(2, polarstar:q=2,iq=3)", "shortest-split"},
      {"twisted-torus:4x8", "shortest-split"},
      {"without(cable=3, twisted-torus:4x8)", "shortest-split"},
      {"cayley:Z8xZ4;(1,1),(7,3),(0,1),(0,3)", "shortest-split"},
      {"circulant:16,3,4", "shortest-split"},
      {"genkautz:4,30", "shortest-split"},
      {"network:dgx-1", "widest-split"},
      {"without(cable=2, network:dgx-1)", "widest-split"},
      {"network:mi300x", "dimension-order"},
      {"boxes(2, network:dgx-1)", "widest-split"},
      {"boxes(1, network:mi250)", "widest-split"},
      {"boxes(2, network:mi300x)", "shortest-split"},
      {"boxes(2, torus:4x4)", "shortest-split"},
      {"without(node=5, boxes(2, torus:4x4))", "shortest-split"},
      {"without(cable=0, cable=1, boxes(2, torus:4x4))", "shortest-split"},
      {"without(cable=2, boxes(2, network:dgx-1))", "widest-split"},
      {"boxes(2, mesh:2x3x2)", "shortest-split"}};
  for (const auto& [expression, routing] : expected) {
    const Topology topology = make_topology(expression);
    EXPECT_EQ(default_routing(topology), routing) << expression;
    EXPECT_EQ(make_routing("auto", Fabric(topology, LinkSpeed{}))->name(), routing) << expression;
  }
}

// Every example of the registry: all pairs of hosts, each with one unit out of its source and into
// its destination and none lost between.
TEST(Auto, routes_all_pairs_of_every_family) {
  constexpr std::int64_t kMost = 300;  // nodes
  for (const auto& family : test::samples(topology::standard_registry().families)) {
    if (family.name == "file") continue;
    SCOPED_TRACE(family.example);
    const Topology topology = make_topology(family.example);
    if (topology.node_count() > kMost) continue;
    const auto flows = test::host_pairs(topology);
    RouteTable routes;
    make_routing("auto", Fabric(topology, LinkSpeed{}))->route(flows, routes);
    ASSERT_EQ(routes.size(), std::ssize(flows));
    for (std::int64_t i = 0; i < routes.size(); ++i) {
      std::map<NodeId, Rational> excess;
      for (std::size_t l = 0; l < routes.links(i).size(); ++l) {
        const Rational share = routes.shares(i).empty() ? Rational(1) : routes.shares(i)[l];
        excess[topology.tail(routes.links(i)[l])] += share;
        excess[topology.head(routes.links(i)[l])] -= share;
      }
      const Flow& flow = flows[i];
      ASSERT_EQ(excess.empty(), flow.from == flow.to);
      for (const auto& [node, out_minus_in] : excess)
        ASSERT_EQ(out_minus_in, Rational(node == flow.from ? 1 : node == flow.to ? -1 : 0));
    }
  }
}

// 16 hosts of a leaf send to 112 others by 8 spines: 16 * 112 / 8 on each cable. All by one spine
// it would be 8 times as much.
TEST(Auto, gives_a_leaf_spine_network_all_its_bandwidth) {
  EXPECT_EQ(busiest("xgft:2;16,8;1,8", "auto"), Rational(224));
  EXPECT_EQ(busiest("xgft:2;16,8;1,8", "d-mod-k"), Rational(224));
  EXPECT_EQ(busiest("xgft:2;16,8;1,8", "shortest"), Rational(8 * 224));
  // Two cables to each of 4 spines carry as much.
  EXPECT_EQ(busiest("leaf-spine:leaves=8,spines=4,hosts=16,uplinks=8", "auto"), Rational(224));
}

// 4 boxes of 4. Equal cards of other boxes cross their rail, cards of the box its switch, and all
// others the spines: 4 hosts of a rail send to 9 others each over 2 spines. With 4 spines a card is
// busier: 3 + 9.
TEST(Auto, keeps_rails_and_boxes_apart) {
  EXPECT_EQ(busiest("rail:boxes=4,gpus=4,spines=2", "auto"), Rational(4 * 9, 2));
  EXPECT_EQ(busiest("rail:boxes=4,gpus=4,spines=4", "auto"), Rational(3 + 9));
}

// As on one plane, half the load on each.
TEST(Auto, uses_all_planes_alike) {
  EXPECT_EQ(busiest("planes(2, leaf-spine:leaves=8,spines=8,hosts=16)", "auto"), Rational(112));
  const Topology planes = make_topology("planes(3, hosts(2, complete:4))");
  const auto loads = all_to_all(planes, *make_routing("auto", Fabric(planes, LinkSpeed{})));
  for (const LinkId link : planes.links())  // 7 others by 3 cards; 2 * 2 pairs of two switches
    EXPECT_EQ(
        loads[link.index()],
        Rational(planes.is_host(planes.tail(link)) || planes.is_host(planes.head(link)) ? 7 : 4,
                 3));
}

// Card j of every box on plane j: a GPU sends 3 messages in the box and 3 on its plane; the 9 to
// other cards of other boxes cross a box and a plane each.
TEST(Auto, uses_all_rails_alike) {
  const Topology rails = make_topology("boxes(4, wiring=rail, xgft:1;4;1)");
  const auto loads = all_to_all(rails, *make_routing("auto", Fabric(rails, LinkSpeed{})));
  for (const Rational& load : loads) EXPECT_EQ(load, Rational(3 + 9));
}

// Planes of a fabric with tables, and boxes on it, have hosts that the tables do not know.
TEST(Auto, says_where_tables_of_a_part_are_left_out) {
  const Topology fabric = make_topology("leaf-spine:leaves=2,spines=2,hosts=4");
  topology::ForwardingTables tables{{fabric.hosts()[0]}, {}};
  tables.next.assign(fabric.switches().size(), topology::ForwardingTables::kNone);
  const BuiltTopology with{topology::with_tables(fabric, tables, "test"), {}};
  const BuiltTopology box{make_topology("complete:4"), {}};
  EXPECT_EQ(default_routing_reason(with.topology), "");
  for (const Topology& whole :
       {topology::join_planes(2, with).topology,
        topology::join_boxes(2, topology::Wiring::flat, box, &with, {}).topology}) {
    EXPECT_EQ(default_routing(whole), "shortest-split");
    EXPECT_NE(default_routing_reason(whole).find("forwarding tables cover only a part"),
              std::string::npos);
  }
  EXPECT_EQ(
      default_routing_reason(make_topology("planes(2, leaf-spine:leaves=2,spines=2,hosts=4)")), "");
}

// Two planes carry half of what one does, and the four cards of a box what four hosts do. Groups
// that two links join or four have the same load on each, where minimal's choice by the target's
// number takes some for more pairs than others.
TEST(Auto, loads_dragonflies_alike_alone_in_planes_and_under_boxes) {
  const Rational one = busiest("dragonfly:a=4,p=2,h=2", "minimal");
  EXPECT_EQ(one, Rational(71));  // a host's own link to 71 others: no other link is busier
  EXPECT_EQ(busiest("planes(2, dragonfly:a=4,p=2,h=2)", "auto"), one / Rational(2));
  EXPECT_EQ(busiest("boxes(18, complete:4, dragonfly:a=4,p=2,h=2)", "auto"), Rational(68));
  EXPECT_EQ(busiest("dragonfly:a=4,p=2,h=2,g=5", "auto"), Rational(39));
  EXPECT_EQ(busiest("dragonfly:a=8,p=4,h=4,g=9", "auto"), Rational(287));
  EXPECT_GT(busiest("dragonfly:a=8,p=4,h=4,g=9", "minimal"), Rational(287 * 3, 2));
}

// One box of 8 with a switch for its cards, too: nothing leaves the box' own.
TEST(Auto, stays_in_a_single_box) {
  EXPECT_EQ(make_topology("boxes(1, network:dgx-h100)").switches().size(), 5u);
  for (const char* name : {"boxes(1, network:dgx-h100)", "boxes(2, network:dgx-h100)"})
    EXPECT_EQ(default_routing(make_topology(name)), "widest-split") << name;
  EXPECT_EQ(default_routing(make_topology("network:dgx-h100")), "shortest-split");
}

// Of the 5 others 1 is in the box, 2 are on the rail, and 2 are on neither: a way to them crosses a
// box and a rail, half of them in either order.
TEST(Auto, takes_gpus_as_relays_on_rails_without_spines) {
  const Topology topology = make_topology("rail:boxes=3,gpus=2,spines=0");
  const auto routing = make_routing("auto", Fabric(topology, LinkSpeed{}));
  const auto loads = all_to_all(topology, *routing);
  for (const LinkId link : topology.links()) {
    const bool box = topology.class_names()[topology.link_class(link)] == "box";
    EXPECT_EQ(loads[link.index()], Rational(box ? 1 + 2 : 2 + 2));
  }
}

// A tree of full bandwidth carries an all-to-all at the hosts' rate: 63 on the terminal links, and
// no more further up (4 * 60 / 4, 16 * 48 / 16).
TEST(Auto, gives_a_fat_tree_all_its_bandwidth) {
  EXPECT_EQ(busiest("fat-tree:4,3", "auto"), Rational(63));
  EXPECT_GT(busiest("fat-tree:4,3", "shortest"), Rational(12 * 63));
}

// A terminal link carries 71 messages, the global link between two groups of 8 hosts 64, and a
// local one 68: what goes between its routers (2 * 2), what leaves the group over the 2 global
// links behind it (2 hosts * 2 * 8), and what has entered over the 2 before it, likewise.
TEST(Auto, loads_a_dragonfly_evenly) {
  EXPECT_EQ(busiest("dragonfly:a=4,p=2,h=2", "auto"), Rational(71));
  EXPECT_GT(busiest("dragonfly:a=4,p=2,h=2", "shortest"), Rational(71));
}

// Of a ring of m a node sends in a dimension 1 + ... + (m/2 - 1) links up, and with the tie half of
// m/2 more: m^2 / 8 each way. m^3 nodes: each link carries m^2 times that. All up it is
// m^2/8 + m/4: 1.5 times as much for m = 4.
TEST(Auto, splits_half_way_ties_so_that_tori_are_loaded_evenly) {
  for (const auto& load :
       all_to_all(make_topology("torus:4x4x4"),
                  *make_routing("auto", Fabric(make_topology("torus:4x4x4"), LinkSpeed{}))))
    EXPECT_EQ(load, Rational(16 * 2));
  EXPECT_EQ(busiest("torus:4x4x4", "dimension-order-up"), Rational(16 * 3));
  EXPECT_EQ(busiest("ring:6", "auto"), Rational(9, 2));
  EXPECT_EQ(busiest("ring:6", "dimension-order-up"), Rational(6));
}

// The tie of dimension x is split, the rest of the way is whole: from (0, 0) to (2, 1) over 1 and 3
// of the row, then one link up the column.
TEST(DimensionOrder, splits_a_tie_and_nothing_else) {
  const Topology topology = make_topology("torus:4x5");
  const auto routing =
      make_routing("dimension-order", Fabric(topology, LinkSpeed{.latency_ps = 7}));
  ASSERT_TRUE(routing->splits());
  EXPECT_TRUE(routing->translation_invariant());
  EXPECT_EQ(routing->share_denominator(), 2);
  const Flow flow{NodeId(0), NodeId(4 + 2)};
  RouteTable routes;
  routing->route(std::span(&flow, 1), routes);
  std::map<std::pair<int, int>, Rational> shares;
  for (std::size_t l = 0; l < routes.links(0).size(); ++l) {
    const LinkId link = routes.links(0)[l];
    shares[{topology.tail(link).value(), topology.head(link).value()}] += routes.shares(0)[l];
  }
  const Rational half(1, 2);
  EXPECT_EQ(shares,
            (std::map<std::pair<int, int>, Rational>{
                {{0, 1}, half}, {{1, 2}, half}, {{0, 3}, half}, {{3, 2}, half}, {{2, 6}, 1}}));
  EXPECT_EQ(routes.latency_ps(0), 3 * 7);
}

TEST(DimensionOrder, splits_only_where_there_are_ties) {
  for (const char* expression : {"torus:3x5", "torus:2x3", "hypercube:3", "mesh:4x4", "2dfc:4x4"})
    EXPECT_FALSE(
        make_routing("dimension-order", Fabric(make_topology(expression), LinkSpeed{}))->splits())
        << expression;
  EXPECT_FALSE(
      make_routing("dimension-order-up", Fabric(make_topology("ring:6"), LinkSpeed{}))->splits());
}

// Link classes of other latencies: half-way round the row both ways are two links of it.
TEST(DimensionOrder, takes_the_longest_of_split_ways_as_latency) {
  LinkOptions links;
  topology::parse_link_option("100Gbps,5ps", links);
  topology::parse_link_option("terminal=100Gbps,1000ps", links);
  const Fabric fabric(build_topology("hosts(1, torus:4x4)"), links);
  const Flow flow{NodeId(16), NodeId(16 + 2 + 4 * 2)};
  RouteTable routes;
  make_routing("dimension-order", fabric)->route(std::span(&flow, 1), routes);
  EXPECT_EQ(routes.latency_ps(0), 2 * 1000 + 4 * 5);
}

}  // namespace
}  // namespace weft::network
