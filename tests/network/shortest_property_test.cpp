// Routings of shortest paths on random graphs: sparse, dense, one-way, with parallel links, with
// hosts.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/judges/naive_routes.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

std::vector<LinkId> routed(const Routing& routing, Flow flow) {
  RouteTable routes;
  routing.route(std::span(&flow, 1), routes);
  return {routes.links(0).begin(), routes.links(0).end()};
}

TEST(ShortestProperty, equals_the_naive_route_or_is_rejected_like_it) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const int nodes = 2 + static_cast<int>(seed % 13);
    const int links = static_cast<int>(seed * 7 % 40);
    const auto switches = seed % 2 == 0 ? test::Switches::some : test::Switches::none;
    const Topology topology = test::random_graph(seed, nodes, links, switches);
    const auto routing = make_routing("shortest", Fabric(topology, LinkSpeed{}));
    for (const Flow& flow : test::all_pairs(topology)) {
      const auto expected = test::naive_shortest(topology, flow.from, flow.to);
      if (expected.empty() && flow.from != flow.to)
        ASSERT_THROW(routed(*routing, flow), InvalidInput) << topology.name();
      else
        ASSERT_EQ(routed(*routing, flow), expected) << topology.name();
    }
  }
}

// Links of naively shortest paths: tail one further from the target than head.
TEST(ShortestProperty, random_and_split_routes_follow_shortest_paths) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const int nodes = 2 + static_cast<int>(seed % 11);
    const auto switches = seed % 2 == 0 ? test::Switches::some : test::Switches::none;
    const Topology topology =
        test::random_graph(seed, nodes, static_cast<int>(seed % 50), switches);
    const Fabric fabric(topology, LinkSpeed{});
    const auto drawn = make_routing("shortest-random", fabric, seed);
    const auto split = make_routing("shortest-split", fabric);
    for (const Flow& flow : test::all_pairs(topology)) {
      const auto distance = test::naive_distances_to(topology, flow.to);
      const test::NaiveLengths lengths(topology, flow.to);
      const int hops = distance[flow.from.index()];
      RouteTable shares;
      if (hops < 0) {
        ASSERT_THROW(routed(*drawn, flow), InvalidInput) << topology.name();
        ASSERT_THROW(split->route(std::span(&flow, 1), shares), InvalidInput) << topology.name();
        continue;
      }
      const auto path = routed(*drawn, flow);
      ASSERT_TRUE(test::is_chain(topology, path, flow.from, flow.to)) << topology.name();
      int length = 0;
      for (const LinkId link : path) length += lengths(link, distance[topology.head(link).index()]);
      ASSERT_EQ(length, hops) << topology.name();
      split->route(std::span(&flow, 1), shares);
      Rational crossed =
          0;  // each level of the paths carries 1 in all, and all have as many relays
      for (std::size_t i = 0; i < shares.links(0).size(); ++i) {
        const LinkId link = shares.links(0)[i];
        const int step = lengths(link, distance[topology.head(link).index()]);
        ASSERT_EQ(distance[topology.tail(link).index()],
                  distance[topology.head(link).index()] + step);
        ASSERT_GT(shares.shares(0)[i], Rational(0));
        crossed += shares.shares(0)[i] * Rational(step);
      }
      ASSERT_EQ(crossed, Rational(hops)) << topology.name();
    }
  }
}

// Tori, meshes and Hamming networks of random extents: computed routes are those of the table.
TEST(ShortestProperty, grids_route_as_their_tables) {
  Rng rng(11);
  for (int i = 0; i < 60; ++i) {
    const char* families[] = {"torus", "mesh", "hamming"};
    std::string expression = families[i % 3];
    const auto dimensions = 1 + rng.below(4);
    for (std::int64_t d = 0; d < dimensions; ++d)
      expression += (d == 0 ? ":" : "x") + std::to_string(2 + rng.below(d < 2 ? 6 : 3));
    if (rng.below(3) == 0) expression = "hosts(2, " + expression + ")";
    SCOPED_TRACE(expression);
    const Topology grid = make_topology(expression), plain = test::anonymous(grid);
    const auto flows = test::all_pairs(grid);
    RouteTable computed, looked_up;
    make_routing("shortest", Fabric(grid, LinkSpeed{}))->route(flows, computed);
    make_routing("shortest", Fabric(plain, LinkSpeed{}))->route(flows, looked_up);
    for (std::int64_t flow = 0; flow < computed.size(); ++flow)
      ASSERT_TRUE(std::ranges::equal(computed.links(flow), looked_up.links(flow)))
          << flows[flow].from.value() << " to " << flows[flow].to.value();
  }
}

}  // namespace
}  // namespace weft::network
