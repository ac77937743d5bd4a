#include "weft/schedule/routing_note.hpp"

#include <gtest/gtest.h>

#include "support/judges/naive_routes.hpp"
#include "support/network_on.hpp"
#include "weft/network/split_loads.hpp"

namespace weft::schedule {
namespace {

// One step in which every rank sends its block to every other, as all-to-all by `spread`.
Schedule exchange(const Network& network) {
  const std::int32_t n = network.ranks();
  ScheduleBuilder schedule(Collective{CollectiveKind::alltoall, n});
  for (std::int32_t from = 0; from < n; ++from)
    for (std::int32_t to = 0; to < n; ++to)
      schedule.at(0).send(Agent(from), Agent(to), Piece{std::int64_t{from} * n + to, 1});
  return std::move(schedule).build();
}

// By one spine of four where all four could share: 4 times.
TEST(RoutingNote, names_what_helps_where_one_spine_carries_all) {
  const Network network = test::on("xgft:2;8,4;1,4", {}, "shortest");
  const auto note = routing_note(exchange(network), network);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->step, 0);
  EXPECT_DOUBLE_EQ(note->factor, 4);
  EXPECT_EQ(note->routing, "shortest");
  EXPECT_EQ(note->helps, "d-mod-k");
  EXPECT_NE(text_of(*note).find("4.0 times"), std::string::npos) << text_of(*note);
  EXPECT_NE(
      text_of(*note).find(
          "times the load of an equal split over shortest paths; --routing d-mod-k reduces it"),
      std::string::npos);
}

TEST(RoutingNote, is_silent_where_the_default_is_good) {
  for (const char* expression :
       {"xgft:2;8,4;1,4", "fat-tree:3,3", "dragonfly:a=4,p=2,h=2", "torus:4x4x4", "2dfc:4x4",
        "hosts(2, random-regular:10,3,seed=4)", "kautz:2,2"}) {
    const Network network = test::on(expression, {}, "auto");
    EXPECT_FALSE(routing_note(exchange(network), network)) << expression;
  }
}

// A tie on one side of a ring of 4. Beyond it there is nothing to say: d-mod-k past one dead uplink
// of four deals 8 hosts to three links as 3, 3 and 2.
TEST(RoutingNote, begins_at_one_and_a_half) {
  const Network network = test::on("torus:4x4", {}, "dimension-order-up");
  const auto note = routing_note(exchange(network), network);
  ASSERT_TRUE(note);
  EXPECT_NEAR(note->factor, 1.5, 1e-9);
  const Network damaged = test::on("without(cable=32~36, xgft:2;8,4;1,4)", {}, "d-mod-k");
  EXPECT_FALSE(routing_note(exchange(damaged), damaged));
  const Network below = test::on("torus:6x6", {}, "dimension-order-up");  // (3 + 3) / (3 + 1.5)
  EXPECT_FALSE(routing_note(exchange(below), below));
}

// The yardstick is what shortest-split does, in floating point.
TEST(SplitLoads, are_those_of_shortest_split) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Topology topology =
        test::random_graph(seed, 12, 30, seed % 2 ? test::Switches::some : test::Switches::none);
    const auto routing = make_routing("shortest-split", Fabric(topology, LinkSpeed{}));
    std::vector<network::WeightedFlow> flows;
    std::vector<double> expected(static_cast<std::size_t>(topology.link_count()));
    for (const network::Flow& flow : test::host_pairs(topology)) {
      if (flow.from == flow.to ||
          test::naive_distances_to(topology, flow.to)[flow.from.index()] < 0)
        continue;
      const double amount = 1 + flow.from.value() % 3;
      flows.push_back({flow, amount});
      network::RouteTable routes;
      routing->route(std::span(&flow, 1), routes);
      for (std::size_t l = 0; l < routes.links(0).size(); ++l)
        expected[routes.links(0)[l].index()] += amount * routes.shares(0)[l].to_double();
    }
    network::SplitLoads split(Fabric(topology, LinkSpeed{}));
    const auto& loads = split.of(flows).values();
    for (std::size_t l = 0; l < loads.size(); ++l) EXPECT_NEAR(loads[l], expected[l], 1e-9) << seed;
  }
}

}  // namespace
}  // namespace weft::schedule
