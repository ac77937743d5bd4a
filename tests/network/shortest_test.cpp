// The default routing against the naive one on every pair of nodes.
#include <gtest/gtest.h>

#include <thread>

#include "support/judges/naive_routes.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

using test::all_pairs;

const LinkSpeed kSpeed{.bandwidth_Bps = 1'000'000'000, .latency_ps = 1000};

std::vector<LinkId> links_of(const RouteTable& routes, std::int64_t flow) {
  return {routes.links(flow).begin(), routes.links(flow).end()};
}

void expect_naive_routes(const Topology& topology) {
  const auto flows = all_pairs(topology);
  const auto routing = make_routing("shortest", Fabric(topology, kSpeed));
  RouteTable routes;
  routing->route(flows, routes);
  ASSERT_EQ(routes.size(), static_cast<std::int64_t>(flows.size()));
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const auto flow = static_cast<std::int64_t>(i);
    ASSERT_EQ(links_of(routes, flow), test::naive_shortest(topology, flows[i].from, flows[i].to))
        << topology.name() << ": " << flows[i].from.value() << " to " << flows[i].to.value();
    EXPECT_EQ(routes.latency_ps(flow), 1000 * static_cast<std::int64_t>(routes.links(flow).size()));
  }
}

TEST(Shortest, takes_the_lowest_next_node_on_families) {
  for (const char* expression : test::samples(
           {"uniring:7", "kautz:2,3", "kautz:3,2", "genkautz:3,17", "debruijn:2,4",
            "random-regular:24,5,seed=3", "hosts(2, random-regular:12,3,seed=1)",
            "dragonfly:a=4,p=2,h=2", "xgft:2;3,4;1,2", "bipartite:3,4", "circulant:11,2,3"})) {
    SCOPED_TRACE(expression);
    expect_naive_routes(make_topology(expression));
  }
}

TEST(Shortest, takes_the_lowest_next_node_on_grids) {
  for (const char* expression : test::samples({"ring:2",
                                               "ring:3",
                                               "ring:8",
                                               "ring:9",
                                               "torus:4x4",
                                               "torus:3x5",
                                               "torus:6x2x4",
                                               "torus:4x5x3",
                                               "mesh:4x3",
                                               "mesh:2x3x4",
                                               "mesh:7",
                                               "hypercube:1",
                                               "hypercube:5",
                                               "hamming:4x3",
                                               "hamming:3x3x3",
                                               "2dfc:5x2",
                                               "hyperx:4x3,2,3",
                                               "hyperx:5,3",
                                               "hosts(2, hyperx:3x3,1,2)",
                                               "complete:6",
                                               "torus:3x2x4",
                                               "torus:4x6 * complete:3",
                                               "hosts(2, torus:4x4)",
                                               "hosts(1, mesh:3x4)",
                                               "hosts(3, hamming:3x4)"})) {
    SCOPED_TRACE(expression);
    const Topology topology = make_topology(expression);
    expect_naive_routes(topology);
    expect_naive_routes(test::anonymous(topology));
  }
}

TEST(Shortest, uses_no_host_as_transit_where_there_are_switches) {
  // Two switches joined by a long way (0 - 2 - 3 - 1), and a host 4 with a cable to each.
  TopologyBuilder builder(5);
  for (int s : {0, 1, 2, 3}) builder.set_kind(NodeId(s), NodeKind::switch_node);
  builder.add_cable(NodeId(0), NodeId(2));
  builder.add_cable(NodeId(2), NodeId(3));
  builder.add_cable(NodeId(3), NodeId(1));
  builder.add_cable(NodeId(0), NodeId(4));
  builder.add_cable(NodeId(1), NodeId(4));
  const Topology topology = std::move(builder).build(Expression{"made", "1", {}, 1});
  expect_naive_routes(topology);
  RouteTable routes;
  const std::vector<Flow> flows{{NodeId(0), NodeId(1)}, {NodeId(4), NodeId(1)}};
  make_routing("shortest", Fabric(topology, kSpeed))->route(flows, routes);
  EXPECT_EQ(routes.links(0).size(), 3u);
  EXPECT_EQ(routes.links(1).size(), 1u);
}

TEST(Shortest, sums_the_latencies_of_its_links) {
  const BuiltTopology built = build_topology("hosts(1, ring:5)");
  LinkOptions options;
  options.by_class.emplace("terminal", LinkSpeed{.latency_ps = 7});
  const Fabric fabric(built, options);
  RouteTable routes;
  const std::vector<Flow> flows{{NodeId(5), NodeId(7)}, {NodeId(6), NodeId(6)}};
  make_routing("shortest", fabric)->route(flows, routes);
  EXPECT_EQ(routes.latency_ps(0), 7 + 2 * LinkSpeed{}.latency_ps + 7);
  EXPECT_EQ(routes.latency_ps(1), 0);
  EXPECT_TRUE(routes.links(1).empty());
}

TEST(Shortest, names_both_nodes_when_one_cannot_be_reached) {
  TopologyBuilder builder(12);
  builder.add_link(NodeId(10), NodeId(11));
  const Fabric fabric(std::move(builder).build(Expression{"made", "2", {}, 1}), kSpeed);
  RouteTable routes;
  const std::vector<Flow> flows{{NodeId(11), NodeId(10)}};
  try {
    make_routing("shortest", fabric)->route(flows, routes);
    FAIL();
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("10"), std::string::npos) << message;
    EXPECT_NE(message.find("11"), std::string::npos) << message;
  }
}

TEST(Shortest, routes_alike_from_four_threads_that_fill_one_table) {
  const Topology topology = make_topology("hosts(2, random-regular:60,4,seed=5)");
  const Fabric fabric(topology, kSpeed);
  const auto flows = all_pairs(topology);
  RouteTable alone;
  make_routing("shortest", fabric)->route(flows, alone);
  const auto shared = make_routing("shortest", fabric);
  std::vector<RouteTable> tables(4);
  std::vector<std::thread> threads;
  for (RouteTable& table : tables) threads.emplace_back([&] { shared->route(flows, table); });
  for (std::thread& thread : threads) thread.join();
  for (const RouteTable& table : tables)
    for (std::int64_t i = 0; i < alone.size(); ++i)
      ASSERT_EQ(links_of(table, i), links_of(alone, i));
}

}  // namespace
}  // namespace weft::network
