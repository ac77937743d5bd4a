// Routings of shortest paths on random graphs: sparse, dense, one-way, with parallel links, with
// hosts.
#include <gtest/gtest.h>

#include "support/naive_routes.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routing.hpp"

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

}  // namespace
}  // namespace weft::network
