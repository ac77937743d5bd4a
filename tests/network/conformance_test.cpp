// What holds for every routing on every topology that it fits, on all pairs of hosts.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <thread>

#include "support/judges/naive_routes.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routings.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {
namespace {

struct Case {
  std::string routing, expression;
};

std::vector<Case> cases() {
  const std::vector<std::string> any{
      "uniring:5",     "kautz:2,2",      "random-regular:20,3,seed=2",
      "torus:4x4",     "hypercube:4",    "hosts(2, random-regular:10,3,seed=4)",
      "bipartite:2,3", "xgft:2;2,3;2,2", "dragonfly:a=3,p=1,h=2,g=4"};
  const std::vector<std::string> grids{"torus:5x4",
                                       "torus:2x3x6",
                                       "mesh:3x4",
                                       "hypercube:4",
                                       "hosts(2, torus:4x3)",
                                       "2dfc:4x3",
                                       "ring:7",
                                       "hosts(3, mesh:4)",
                                       "hamming:2x3x4",
                                       "hyperx:4x3,2,3",
                                       "hosts(3, hyperx:3x3,2,1)"};
  const std::vector<std::string> trees{"xgft:2;4,4;1,4", "xgft:3;2,3,2;1,2,3", "fat-tree:3,3",
                                       "xgft:2;2,3;2,2", "xgft:1;5;1"};
  const std::vector<std::string> dragonflies{"dragonfly:a=4,p=2,h=2", "dragonfly:a=4,p=1,h=2,g=3",
                                             "dragonfly:a=3,p=2,h=3,g=4,arrangement=circulant",
                                             "dragonfly:a=1,p=2,h=4"};
  const std::vector<std::string> plus{"dragonfly-plus:l=2,s=2,p=2,h=2",
                                      "dragonfly-plus:l=3,s=4,p=1,h=3,g=5",
                                      "dragonfly-plus:l=1,s=1,p=3,h=2"};
  const std::vector<std::string> diameter_two{"slimfly:3",  "slimfly:4",  "hosts(3, slimfly:5)",
                                              "polarfly:4", "polarfly:7", "hosts(2, polarfly:3)"};
  std::vector<Case> all;
  const auto add = [&](const char* routing, const std::vector<std::string>& expressions) {
    for (const std::string& expression : expressions) all.push_back({routing, expression});
  };
  for (const char* routing :
       {"shortest", "shortest-random", "ecmp", "ecmp:3", "shortest-split", "widest-split"})
    add(routing, any);
  add("auto", any);
  add("auto", grids);
  add("dimension-order", grids);
  add("dimension-order-up", grids);
  add("d-mod-k", trees);
  add("s-mod-k", trees);
  add("pattern-aware", trees);
  add("minimal", dragonflies);
  add("minimal", plus);
  add("minimal-split", dragonflies);
  add("minimal-split",
      {"planes(2, dragonfly:a=2,p=2,h=2)", "without(cable=7, dragonfly:a=4,p=2,h=2)",
       "boxes(9, complete:4, dragonfly:a=3,p=2,h=2,g=6,arrangement=circulant)",
       "boxes(8, wiring=rail, xgft:1;4;1, dragonfly:a=2,p=2,h=1,g=2)"});
  add("minimal", diameter_two);
  add("table", {"hosts(2, torus:4x3)", "xgft:2;4,4;1,4", "dragonfly:a=4,p=2,h=2",
                "leaf-spine:leaves=3,spines=2,hosts=2"});
  return all;
}

// With tables of shortest ways, a host's address its place.
Topology with_shortest_tables(const Topology& topology) {
  topology::ForwardingTables tables;
  tables.hosts.assign(topology.hosts().begin(), topology.hosts().end());
  tables.next.resize(tables.hosts.size() * topology.switches().size(),
                     topology::ForwardingTables::kNone);
  for (std::size_t address = 0; address < tables.hosts.size(); ++address) {
    std::vector<NodeId> reached{tables.hosts[address]};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const LinkId link : topology.in_links(reached[i])) {
        const NodeId node = topology.tail(link);
        if (topology.is_host(node) || std::ranges::find(reached, node) != reached.end()) continue;
        reached.push_back(node);
        const auto row = std::ranges::find(topology.switches(), node) - topology.switches().begin();
        tables.next[static_cast<std::size_t>(row) * tables.hosts.size() + address] = link.value();
      }
  }
  return topology::with_tables(topology, tables, "test");
}

Topology network_of(const Case& each) {
  const Topology topology = make_topology(each.expression);
  return each.routing == "table" ? with_shortest_tables(topology) : topology;
}

std::shared_ptr<const Routing> make(const Case& each, const Fabric& fabric) {
  return make_routing(each.routing, fabric, 9);
}

// Calls check(case, fabric, routing, flows, routes) for every case, with the routes of all host
// pairs.
template <class Check>
void for_each_case(Check&& check) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.routing + " on " + each.expression);
    const Fabric fabric(network_of(each), LinkSpeed{.latency_ps = 3});
    const auto routing = make(each, fabric);
    const auto flows = test::host_pairs(fabric.topology());
    RouteTable routes;
    routing->route(flows, routes);
    ASSERT_EQ(routing->name(),
              each.routing == "auto" ? default_routing(fabric.topology()) : each.routing);
    ASSERT_EQ(routes.size(), static_cast<std::int64_t>(flows.size()));
    ASSERT_EQ(routes.has_shares(), routing->splits());
    check(each, fabric, *routing, flows, routes);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Of a flow: outflow minus inflow of each node.
std::map<NodeId, Rational> balance(const Topology& topology, const RouteTable& routes,
                                   std::int64_t flow) {
  std::map<NodeId, Rational> excess;
  for (std::size_t i = 0; i < routes.links(flow).size(); ++i) {
    const Rational share = routes.has_shares() ? routes.shares(flow)[i] : Rational(1);
    excess[topology.tail(routes.links(flow)[i])] += share;
    excess[topology.head(routes.links(flow)[i])] -= share;
  }
  return excess;
}

bool same(const RouteTable& a, std::int64_t i, const RouteTable& b, std::int64_t j) {
  return std::ranges::equal(a.links(i), b.links(j)) &&
         std::ranges::equal(a.shares(i), b.shares(j)) && a.latency_ps(i) == b.latency_ps(j);
}

TEST(Routings, every_one_has_cases_here) {
  for (const RoutingInfo& info : routings())
    EXPECT_TRUE(!info.gives_paths || std::ranges::any_of(cases(), [&](const Case& c) {
      return c.routing == info.name;
    })) << info.name;
}

TEST(Routings, paths_are_chains_between_their_ends) {
  for_each_case([](const Case&, const Fabric& fabric, const Routing& routing, const auto& flows,
                   const RouteTable& routes) {
    const Topology& topology = fabric.topology();
    if (routing.splits()) return;
    for (std::size_t i = 0; i < flows.size(); ++i)
      ASSERT_TRUE(test::is_chain(topology, routes.links(static_cast<std::int64_t>(i)),
                                 flows[i].from, flows[i].to));
  });
}

TEST(Routings, flow_is_conserved_at_every_node) {
  for_each_case([](const Case&, const Fabric& fabric, const Routing&, const auto& flows,
                   const RouteTable& routes) {
    const Topology& topology = fabric.topology();
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const auto excess = balance(topology, routes, static_cast<std::int64_t>(i));
      ASSERT_EQ(excess.empty(), flows[i].from == flows[i].to);
      for (const auto& [node, out_minus_in] : excess)
        ASSERT_EQ(out_minus_in, Rational(node == flows[i].from ? 1 : node == flows[i].to ? -1 : 0));
    }
  });
}

TEST(Routings, paths_are_shortest_but_for_minimal_ones_on_dragonflies) {
  for_each_case([](const Case&, const Fabric& fabric, const Routing& routing, const auto& flows,
                   const RouteTable& routes) {
    const Topology& topology = fabric.topology();
    if (routing.name().starts_with("minimal") && topology::switch_groups_of(topology)) return;
    std::vector<std::vector<int>> distances;
    for (NodeId target : topology.nodes())
      distances.push_back(test::naive_distances_to(topology, target));
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const auto flow = static_cast<std::int64_t>(i);
      const int distance = distances[flows[i].to.index()][flows[i].from.index()];
      ASSERT_EQ(routes.latency_ps(flow), 3 * distance);  // 3 ps a link
      Rational links = 0;
      for (std::size_t j = 0; j < routes.links(flow).size(); ++j)
        links += routes.has_shares() ? routes.shares(flow)[j] : Rational(1);
      ASSERT_EQ(links, Rational(distance));
    }
  });
}

TEST(Routings, a_flow_is_routed_alike_in_a_step_and_alone_on_one_or_four_threads) {
  for_each_case([](const Case& each, const Fabric& fabric, const Routing& routing,
                   const auto& flows, const RouteTable& routes) {
    if (routing.sees_whole_step()) return;
    for (std::size_t count : {1, 4}) {
      const auto fresh = make(each, fabric);  // so that the threads fill its tables
      std::vector<RouteTable> alone(flows.size());
      std::vector<std::thread> threads;
      for (std::size_t first = 0; first < count; ++first)
        threads.emplace_back([&, first] {
          for (std::size_t i = first; i < flows.size(); i += count)
            fresh->route(std::span(&flows[i], 1), alone[i]);
        });
      for (std::thread& thread : threads) thread.join();
      for (std::size_t i = 0; i < flows.size(); ++i)
        ASSERT_TRUE(same(alone[i], 0, routes, static_cast<std::int64_t>(i)));
    }
  });
}

TEST(Routings, those_of_a_structure_reject_other_topologies) {
  const Fabric kautz(make_topology("kautz:2,2"), LinkSpeed{});
  for (const char* name : {"dimension-order", "d-mod-k", "s-mod-k", "minimal"}) {
    try {
      make_routing(name, kautz);
      FAIL() << name;
    } catch (const InvalidInput& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(name), std::string::npos) << message;
      EXPECT_NE(message.find("use shortest"), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace weft::network
