// Hosts that cables of their own join, as GPUs of a box, pass messages on among themselves.
#include <gtest/gtest.h>

#include <utility>

#include "support/judges/naive_routes.hpp"
#include "weft/network/relay_search.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/passing.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

bool joins_hosts(const Topology& topology, LinkId link) {
  return topology.is_host(topology.tail(link)) && topology.is_host(topology.head(link));
}

// The judge is the box alone, which has no switches: what two of its GPUs send each other takes as
// few cables there as here, and no other links. Nothing else enters a box to pass through it.
TEST(Meshes, carry_their_own_messages_and_no_others) {
  for (const auto& [box, network] :
       {std::pair("network:dgx-1", "boxes(2, network:dgx-1)"),
        std::pair("network:mi250", "boxes(2, network:mi250)"),
        std::pair("torus:3x3",
                  "boxes(3, wiring=rail, torus:3x3, leaf-spine:leaves=1,spines=1,hosts=3)"),
        std::pair("torus:3x4", "boxes(2, torus:3x4, leaf-spine:leaves=4,spines=2,hosts=6)"),
        std::pair("mesh:3", "boxes(2, mesh:3)")}) {
    const Topology alone = build_topology(box).topology;
    const auto gpus = static_cast<std::int32_t>(alone.hosts().size());
    const Fabric fabric(build_topology(network));
    const Topology& topology = fabric.topology();
    const Passing passing(fabric);
    for (const char* name : {"shortest", "shortest-random", "shortest-split", "widest-split"}) {
      const auto routing = make_routing(name, fabric);
      for (const Flow& flow : test::host_pairs(topology)) {
        if (flow.from == flow.to) continue;
        RouteTable routes;
        routing->route(std::span(&flow, 1), routes);
        const NodeId from(flow.from.value() % gpus), to(flow.to.value() % gpus);
        const bool inside = flow.from.value() / gpus == flow.to.value() / gpus;
        const RelayDistances distances(passing, flow.to);
        ASSERT_TRUE(!inside || distances.relays(flow.from) == 0);
        const bool relayed = distances.relays(flow.from) > 0;  // rails that no spine joins
        Rational links = 0;
        for (std::size_t i = 0; i < routes.links(0).size(); ++i) {
          const LinkId link = routes.links(0)[i];
          links += routes.has_shares() ? routes.shares(0)[i] : Rational(1);
          if (!relayed) {
            EXPECT_EQ(joins_hosts(topology, link), inside) << network << ' ' << name;
          }
        }
        if (inside) {
          EXPECT_EQ(links, Rational(test::naive_distances_to(alone, to)[from.index()]))
              << network << ' ' << name;
        }
      }
    }
  }
}

// Whichever way it goes a message passes as few hosts: the row 0 to 3 of hosts is a mesh, host 4
// ends at switch 6 and host 5 is the only other way, of one host, from there to host 0.
TEST(Relays, are_as_many_there_and_back) {
  topology::TopologyBuilder builder(8);
  for (const int node : {6, 7}) builder.set_kind(NodeId(node), topology::NodeKind::switch_node);
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(1, 2), std::pair(2, 3), std::pair(3, 6),
                             std::pair(4, 6), std::pair(5, 6), std::pair(5, 7), std::pair(7, 0)})
    builder.add_cable(NodeId(a), NodeId(b));
  const Passing passing(Fabric(std::move(builder).build({"rows", "", {}}), LinkSpeed{}));
  ASSERT_TRUE(passing.passes(NodeId(1), NodeId(0), NodeId(2)));
  const RelayDistances there(passing, NodeId(0)), back(passing, NodeId(4));
  EXPECT_EQ(there.relays(NodeId(4)), 1);
  EXPECT_EQ(back.relays(NodeId(0)), 1);
  EXPECT_EQ(there.relays(NodeId(3)), 0);
}

}  // namespace
}  // namespace weft::network
