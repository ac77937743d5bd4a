// Messages to one node split together, against their routes one by one.
#include "weft/network/ways_to.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/samples.hpp"
#include "weft/network/network.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

struct Case {
  const char* topology;
  const char* routing = "shortest-split";
};

// Loads of random messages to one node, in whole units, exactly; the longest latency too.
void compare(const Case& c, int run) {
  SCOPED_TRACE(testing::Message() << c.topology << ", " << c.routing << ", run " << run);
  std::mt19937_64 random(static_cast<std::uint64_t>(run) * 1009 + 11);
  const Topology topology = topology::make_topology(c.topology);
  const Fabric fabric(topology, LinkSpeed{.latency_ps = 1000});
  const auto routing = make_routing(c.routing, fabric);
  ASSERT_TRUE(routing->knows_ways());
  const auto hosts = topology.hosts();
  const auto any = [&] { return hosts[static_cast<std::int32_t>(random() % hosts.size())]; };
  Pouring<Rational> pouring(fabric);
  WaysTo ways;
  for (int round = 0; round < 3; ++round) {  // the memory is used again
    const NodeId target = any();
    IdVector<LinkId, Rational> one_by_one(topology.link_count()), together = one_by_one;
    std::int64_t latency_ps = 0;
    for (int i = 0; i < 40; ++i) {
      const NodeId from = any();
      const auto units = static_cast<std::int64_t>(random() % 100);
      if (from == target) continue;
      pouring.add(from, Rational(units));
      RouteTable routes;
      const Flow flow{from, target};
      routing->route(std::span(&flow, 1), routes);
      latency_ps = std::max(latency_ps, routes.latency_ps(0));
      for (std::size_t l = 0; l < routes.links(0).size(); ++l)
        one_by_one[routes.links(0)[l]] += routes.shares(0)[l] * units;
    }
    routing->ways_to(target, ways);
    const auto poured = pouring.pour(ways, target);
    ASSERT_TRUE(poured.complete);
    EXPECT_EQ(poured.latency_ps, latency_ps);
    for (const auto& [link, units] : poured.loads) together[link] += units;
    for (const LinkId link : topology.links())
      ASSERT_EQ(together[link], one_by_one[link]) << "link " << link.value();
  }
}

TEST(WaysTo, puts_on_links_what_routes_do) {
  constexpr Case kCases[] = {{"random-regular:40,3,seed=2"},
                             {"cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)"},
                             {"double-binary-tree:20"},
                             {"torus:5x4"},
                             {"leaf-spine:leaves=4,spines=3,hosts=5"},
                             {"leaf-spine:leaves=4,spines=3,hosts=5", "widest-split"},
                             {"hosts(2,random-regular:20,3,seed=3)"},
                             {"network:dgx-h100", "widest-split"},
                             {"dragonfly:a=4,p=2,h=2,g=9", "minimal-split"},
                             {"without(cable=3,node=2,torus:4x4)"}};
  for (const Case& c : kCases)
    for (int run = 0; run < test::samples(10); ++run) compare(c, run);
}

// A message that no way serves is said to be missing, and nothing stays behind.
TEST(WaysTo, misses_nodes_without_a_way) {
  const Fabric fabric(topology::make_topology("without(link=1,uniring:3)"), {});
  const auto routing = make_routing("shortest-split", fabric);
  Pouring<double> pouring(fabric);
  WaysTo ways;
  routing->ways_to(NodeId(2), ways);
  pouring.add(NodeId(1), 1);  // link 1 led from node 1 to node 2
  EXPECT_FALSE(pouring.pour(ways, NodeId(2)).complete);
  routing->ways_to(NodeId(1), ways);
  pouring.add(NodeId(2), 3);
  const auto poured = pouring.pour(ways, NodeId(1));
  EXPECT_TRUE(poured.complete);
  ASSERT_EQ(poured.loads.size(), 2U);
  for (const auto& [link, amount] : poured.loads) EXPECT_EQ(amount, 3);
}

}  // namespace
}  // namespace weft::network
