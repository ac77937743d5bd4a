#include "weft/schedule/route_walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/network_on.hpp"
#include "weft/schedule/on_network.hpp"

namespace weft::schedule {
namespace {

std::vector<LinkId> path(const Topology& topology, std::initializer_list<int> nodes) {
  std::vector<LinkId> links;
  for (auto node = nodes.begin(); node + 1 != nodes.end(); ++node)
    for (const LinkId link : topology.out_links(NodeId(*node)))
      if (topology.head(link) == NodeId(node[1])) links.push_back(link);
  return links;
}

std::vector<LinkId> links_of(const RouteWalk& walk, std::int64_t message) {
  const auto links = walk.links(message);
  return {links.begin(), links.end()};
}

// On a ring of 6 with 1 us a link: 0 to 2 by the network is two links, from 0 the other way round
// to 1, as stored, five; moved by 2 that is from 2 to 3.
TEST(RouteWalk, gives_each_message_its_own_path_or_the_networks) {
  const Network network = test::on("ring:6");
  const Topology& topology = network.topology();
  ScheduleBuilder builder(
      allgather(6), {.symmetry = Symmetry::translations({6}), .binding = binding_to(network)});
  const RouteId around = builder.add_route(path(topology, {0, 5, 4, 3, 2, 1}));
  builder.at(0).send(Rank(0), Rank(1), builder.block(0), Arrival::copy, around);
  const Schedule schedule = std::move(builder).build();
  const auto nodes = nodes_of_agents(schedule, network);
  RouteWalk walk(network, explicit_routes(schedule, nodes, network));
  walk.add(NodeId(0), NodeId(2), kRouted, 0);
  walk.add(NodeId(0), NodeId(1), around, 0);
  walk.add(NodeId(2), NodeId(3), around, 2);
  walk.add(NodeId(4), NodeId(4), kRouted, 0);
  walk.route();
  ASSERT_EQ(walk.size(), 4);
  EXPECT_EQ(links_of(walk, 0), path(topology, {0, 1, 2}));
  EXPECT_EQ(walk.latency_ps(0), 2'000'000);
  EXPECT_EQ(links_of(walk, 1), path(topology, {0, 5, 4, 3, 2, 1}));
  EXPECT_EQ(links_of(walk, 2), path(topology, {2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(walk.latency_ps(2), 5'000'000);
  EXPECT_TRUE(walk.links(3).empty());
  walk.map_links([](LinkId) { return LinkId(7); });
  EXPECT_EQ(links_of(walk, 0), std::vector<LinkId>(2, LinkId(7)));
  EXPECT_EQ(links_of(walk, 2), std::vector<LinkId>(5, LinkId(7)));
  walk.clear();
  EXPECT_EQ(walk.size(), 0);
}

// Half-way round a ring of 4 the flow splits into two ways of one half each.
TEST(RouteWalk, keeps_the_shares_of_a_split_message) {
  const Network network = test::on("ring:4", {}, "shortest-split");
  RouteWalk walk(network);
  walk.add(NodeId(0), NodeId(2), kRouted, 0);
  walk.route();
  EXPECT_EQ(walk.links(0).size(), 4U);
  EXPECT_TRUE(std::ranges::all_of(walk.shares(0),
                                  [](const Rational& share) { return share == Rational(1, 2); }));
  EXPECT_EQ(walk.shares(0).size(), 4U);
}

}  // namespace
}  // namespace weft::schedule
