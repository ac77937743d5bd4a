// The routings of all models: one name, one meaning, whether paths are asked for or hops.
#include "weft/network/routings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/judges/naive_routes.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/network/hop_routing.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

using Links = std::set<LinkId>;

TEST(Routings, have_names_of_their_own) {
  std::set<std::string> names;
  const auto is_new = [&](const std::string& name) { return names.insert(name).second; };
  for (const RoutingInfo& routing : routings()) {
    EXPECT_TRUE(is_new(routing.name)) << routing.name;
    EXPECT_EQ(find_routing(routing.name), &routing);
    EXPECT_FALSE(routing.summary.empty() || routing.fits.empty()) << routing.name;
    EXPECT_TRUE(routing.gives_paths || routing.hops.has_value()) << routing.name;
    if (!routing.hops) continue;
    EXPECT_FALSE(routing.hops->channels.empty() || routing.hops->deadlock.empty()) << routing.name;
    for (const std::string& alias : routing.hops->aliases) {
      EXPECT_TRUE(is_new(alias)) << alias;
      EXPECT_EQ(find_routing(alias), &routing);
    }
  }
}

TEST(Routings, are_found_by_any_of_their_names) {
  ASSERT_NE(find_routing("Adaptive"), nullptr);
  EXPECT_EQ(find_routing("Adaptive")->name, "ugal-l");
  EXPECT_EQ(find_routing("UP_down_random")->name, "up-down-random");
  EXPECT_EQ(find_routing("shortst"), nullptr);
  EXPECT_NO_THROW(require_known_routing("nonminimal"));
  EXPECT_THROW(require_known_routing("shortst"), InvalidInput);
  EXPECT_TRUE(is_of_packets_only("valiant"));
  EXPECT_FALSE(is_of_packets_only("minimal"));
  EXPECT_FALSE(is_of_packets_only("d-mod-k"));
}

TEST(Routings, say_whose_paths_are_drawn) {
  EXPECT_TRUE(draws_paths("Shortest-Random"));
  EXPECT_TRUE(draws_paths("ecmp:4"));
  for (const char* routing : {"auto", "shortest", "shortest-split", "valiant", "shortst"})
    EXPECT_FALSE(draws_paths(routing)) << routing;
}

TEST(Routings, have_one_text_for_a_number_of_connections) {
  EXPECT_EQ(canonical_routing("ECMP:04"), "ecmp:4");
  EXPECT_EQ(canonical_routing("ecmp:1"), "ecmp");
  EXPECT_EQ(canonical_routing("Adaptive"), "ugal-l");
  EXPECT_EQ(canonical_routing("d-mod-k:2"), "");
}

// By what a network is, not by its name: minimal ways are those of dimension order on Hamming and
// HyperX networks, and paths are followed where neither that nor a Dragonfly is there.
TEST(Routings, say_where_packets_choose) {
  const Topology dragonfly = make_topology("dragonfly:a=4,p=1,h=2");
  EXPECT_EQ(hop_routing("Minimal", dragonfly), "minimal");
  EXPECT_EQ(hop_routing("minimal", make_topology("slimfly:5")), "");
  EXPECT_EQ(hop_routing("minimal", make_topology("hyperx:4x3,2,1")), "dimension-order");
  EXPECT_EQ(hop_routing("Minimal", make_topology("hosts(2, 2dfc:3x4)")), "dimension-order");
  EXPECT_EQ(hop_routing("minimal", make_topology("without(cable=0, 2dfc:3x4)")), "");
  EXPECT_EQ(hop_routing("shortest", dragonfly), "");
  EXPECT_EQ(hop_routing("shortst", dragonfly), "");
}

// The links between routers that a packet takes, its message's coin being `coin`.
Links walk(HopRouting& routing, const Wiring& wiring, const Flow& flow, int coin) {
  PacketState packet;
  packet.source = flow.from.value();
  packet.destination = flow.to.value();
  packet.node = wiring.router[flow.from.index()];
  packet.router = wiring.router[flow.to.index()];
  packet.coin = static_cast<std::uint8_t>(coin);
  const std::vector<LinkState> idle(wiring.topology.link_count());
  Links links;
  for (; packet.node != packet.router && packet.routers < wiring.node_count(); ++packet.routers) {
    const LinkId link(routing.choose(packet, QueueView(idle, 0)).link);
    links.insert(link);
    packet.node = wiring.topology.head(link).value();
  }
  return links;
}

// Links of a route that are neither up from a leaf nor down to one.
Links between_routers(const RouteTable& routes, std::int64_t flow, const Wiring& wiring) {
  Links links;
  for (const LinkId link : routes.links(flow)) {
    const auto is_leaf = [&](NodeId node) { return wiring.leaves[node.index()].up >= 0; };
    if (!is_leaf(wiring.topology.tail(link)) && !is_leaf(wiring.topology.head(link)))
      links.insert(link);
  }
  return links;
}

struct BothFaces {
  const char* routing;
  std::vector<const char*> topologies;
};

// 64 packets of each pair leave out a link that one in eight should take with a chance of (7/8)^64,
// 2 in 10,000, and whatever they draw is fixed by the seed.
TEST(Routings, packets_take_the_paths_over_which_others_split) {
  const BothFaces cases[] = {
      {"minimal",
       {"dragonfly:a=4,p=2,h=2", "dragonfly:a=4,p=2,h=2,g=3",
        "dragonfly:a=3,p=2,h=3,g=4,arrangement=circulant", "dragonfly:a=1,p=2,h=4"}},
      {"minimal-split",
       {"dragonfly:a=4,p=2,h=2", "dragonfly:a=4,p=2,h=2,g=3",
        "dragonfly:a=3,p=2,h=3,g=4,arrangement=circulant", "planes(2, dragonfly:a=2,p=2,h=2)",
        "without(cable=9, dragonfly:a=4,p=2,h=2)",
        "boxes(5, xgft:1;4;1, dragonfly:a=2,p=2,h=2,g=5)"}},
      {"dimension-order",
       {"torus:5x4", "torus:2x4x3", "hosts(2, torus:4x3)", "mesh:3x4", "2dfc:4x3", "ring:6",
        "hyperx:4x3,3,2", "hosts(3, hyperx:3x3,2,1)", "without(cable=0~1, torus:4x4)",
        "without(node=5, node=6, torus:5x5)", "without(cable=0, hyperx:4x3,2,1)",
        "without(cable=0~1, mesh:4x4)"}},
      {"shortest-split", {"torus:4x4", "xgft:2;3,3;1,2", "kautz:2,3", "hyperx:3x3,2,1"}},
      {"widest-split",
       {"torus:4x4", "kautz:2,3", "boxes(3, xgft:1;4;1, leaf-spine:leaves=2,spines=2,hosts=6)"}},
  };
  for (const RoutingInfo& routing : routings())
    EXPECT_TRUE(!routing.gives_paths || !routing.hops ||
                std::ranges::count(cases, routing.name, &BothFaces::routing) == 1)
        << routing.name;
  for (const BothFaces& each : cases)
    for (const char* expression : test::samples(each.topologies)) {
      SCOPED_TRACE(std::string(each.routing) + " on " + expression);
      topology::LinkOptions speeds;  // boxes are faster than what joins them
      if (std::string(expression).starts_with("boxes"))
        topology::parse_link_option("box-terminal=400GBps,1us", speeds);
      const Fabric fabric(topology::build_topology(expression), speeds);
      const Wiring wiring(fabric);
      const auto hops = make_hop_routing(each.routing, {wiring, fabric});
      const auto flows = test::host_pairs(fabric.topology());
      RouteTable routes;
      make_routing(each.routing, fabric)->route(flows, routes);
      for (std::size_t i = 0; i < flows.size(); ++i) {
        Links taken;
        for (int round = 0; round < 64; ++round) taken.merge(walk(*hops, wiring, flows[i], round));
        ASSERT_EQ(taken, between_routers(routes, static_cast<std::int64_t>(i), wiring))
            << flows[i].from.value() << " to " << flows[i].to.value();
      }
    }
}

}  // namespace
}  // namespace weft::network
