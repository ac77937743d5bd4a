// Explicit routes compared with the network's own; the number of other paths is counted by hand.
#include <gtest/gtest.h>

#include <vector>

#include "support/network_on.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {
namespace {

using test::on;

LinkId between(const Topology& topology, int from, int to) {
  for (const LinkId link : topology.links())
    if (topology.tail(link) == NodeId(from) && topology.head(link) == NodeId(to)) return link;
  ADD_FAILURE() << "no link from " << from << " to " << to;
  return LinkId(0);
}

// One block from rank 0 to a rank over these nodes.
Schedule along(const Network& network, const std::vector<int>& nodes) {
  const Collective collective{.kind = CollectiveKind::point_to_point,
                              .ranks = network.ranks(),
                              .root = Rank(0),
                              .peer = Rank(nodes.back())};
  ScheduleBuilder builder(collective, {.algorithm = "by hand", .binding = binding_to(network)});
  std::vector<LinkId> links;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    links.push_back(between(network.topology(), nodes[i - 1], nodes[i]));
  const RouteId route = builder.add_route(links);
  const Piece block{0, 1};
  builder.at(0).send(Rank(0), Rank(nodes.back()), std::span(&block, 1), Arrival::copy, route);
  return std::move(builder).build();
}

// Two hops forwards from 0 to 2 are the shortest way on a ring of five; three backwards are not.
TEST(OwnPaths, of_a_ring_are_the_networks_where_they_are_shortest) {
  const Network network = on("ring:5");
  EXPECT_TRUE(routes_are_networks(along(network, {0, 1, 2}), network));
  EXPECT_FALSE(routes_are_networks(along(network, {0, 4, 3, 2}), network));
  EXPECT_TRUE(routes_are_networks(along(network, {0, 4}), network));
}

// Dimension-order routing goes along x first.
TEST(OwnPaths, of_a_torus_turn_where_the_routing_turns) {
  const Network network = on("torus:3x3", {}, "dimension-order");
  const bool x_first = routes_are_networks(along(network, {0, 1, 4}), network);
  const bool y_first = routes_are_networks(along(network, {0, 3, 4}), network);
  EXPECT_TRUE(x_first);
  EXPECT_FALSE(y_first);
}

// Half of a message that is split over both ways takes each.
TEST(OwnPaths, are_none_of_a_routing_that_splits) {
  const Network network = on("torus:3x3", {}, "shortest-split");
  EXPECT_FALSE(routes_are_networks(along(network, {0, 1, 4}), network));
  EXPECT_FALSE(routes_are_networks(along(network, {0, 3, 4}), network));
  EXPECT_TRUE(routes_are_networks(along(network, {0, 1}), network));
}

TEST(OwnPaths, are_dropped_from_a_proof) {
  const Network network = on("ring:5");
  const Verified proved = verify_own(along(network, {0, 4, 3, 2}), &network.topology());
  ASSERT_TRUE(has_own_paths(proved.schedule()));
  const Verified routed = proved.without_routes("routed");
  EXPECT_FALSE(has_own_paths(routed.schedule()));
  EXPECT_EQ(routed.schedule().algorithm(), "routed");
  EXPECT_TRUE(verify(routed.schedule(), &network.topology()));
}

}  // namespace
}  // namespace weft::schedule
