// Routings that use several shortest paths: drawn by pair, or all at once.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/judges/naive_routes.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

RouteTable routed(const char* routing, const Topology& topology, std::vector<Flow> flows,
                  std::uint64_t seed = 1) {
  RouteTable routes;
  make_routing(routing, Fabric(topology, LinkSpeed{.latency_ps = 10}), seed)->route(flows, routes);
  return routes;
}

// Shares of flow 0 by link.
std::map<LinkId, Rational> shares(const RouteTable& routes) {
  std::map<LinkId, Rational> all;
  for (std::size_t i = 0; i < routes.links(0).size(); ++i)
    all[routes.links(0)[i]] += routes.shares(0)[i];
  return all;
}

// What is kept between two switches of hosts for later flows is what a routing that has met no
// other flow makes of them.
TEST(Split, ways_kept_between_switches_are_those_made_anew) {
  for (const char* expression :
       {"hosts(3, mesh:3x3)", "leaf-spine:leaves=3,spines=2,hosts=4", "hosts(2, slimfly:3)",
        "dragonfly:a=4,p=2,h=2,g=3", "planes(2, leaf-spine:leaves=2,spines=2,hosts=3)",
        "without(cable=0, leaf-spine:leaves=3,spines=3,hosts=3)"})
    for (const char* name : {"shortest-split", "widest-split"}) {
      const Topology topology = make_topology(expression);
      const Fabric fabric(topology, LinkSpeed{.latency_ps = 10});
      const auto routing = make_routing(name, fabric);
      for (const NodeId from : topology.hosts())
        for (const NodeId to : topology.hosts()) {
          if (topology.out_links(from).empty() || topology.out_links(to).empty()) continue;
          const Flow flow{from, to};
          RouteTable kept, anew;
          routing->route(std::span(&flow, 1), kept);
          make_routing(name, fabric)->route(std::span(&flow, 1), anew);
          EXPECT_TRUE(std::ranges::equal(kept.links(0), anew.links(0))) << expression;
          EXPECT_TRUE(std::ranges::equal(kept.shares(0), anew.shares(0))) << expression;
          EXPECT_EQ(kept.latency_ps(0), anew.latency_ps(0)) << expression;
        }
    }
}

// Mean over seeds of the load of the busiest uplink: two leaves of 8 hosts, 8 spines, host i sends
// 1 to host i + 8.
double mean_busiest_uplink(const char* routing) {
  const Topology topology = make_topology("leaf-spine:leaves=2,spines=8,hosts=8");
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < 8; ++i)
    flows.push_back({topology.hosts()[i], topology.hosts()[i + 8]});
  constexpr int kSeeds = 4000;
  double sum = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const RouteTable routes = routed(routing, topology, flows, static_cast<std::uint64_t>(seed));
    std::map<LinkId, double> loads;
    for (std::int64_t f = 0; f < routes.size(); ++f)
      for (std::size_t l = 0; l < routes.links(f).size(); ++l)
        loads[routes.links(f)[l]] += routes.has_shares() ? routes.shares(f)[l].to_double() : 1;
    double busiest = 0;
    for (const auto& [link, load] : loads) busiest = std::max(busiest, load);
    sum += busiest;
  }
  return sum / kSeeds;
}

// Flows hashed to uplinks are 8 K balls of 1/K in 8 bins: the fullest holds 2.60, 2.10, 1.76 on
// average for K = 1, 2, 4 (60,000 draws by another program: 2.596, 2.099, 1.762; deviation of one
// draw 0.69, 0.45, 0.30). Tolerances are four standard errors of the mean of 4000.
TEST(Ecmp, the_busiest_uplink_is_that_of_balls_in_bins) {
  EXPECT_NEAR(mean_busiest_uplink("ecmp"), 2.60, 0.045);
  EXPECT_NEAR(mean_busiest_uplink("ecmp:2"), 2.10, 0.03);
  EXPECT_NEAR(mean_busiest_uplink("ecmp:4"), 1.76, 0.02);
}

TEST(Ecmp, connections_share_a_message_evenly) {
  const Topology square = make_topology("hypercube:2");
  const RouteTable routes = routed("ecmp:4", square, {{NodeId(0), NodeId(3)}});
  std::map<NodeId, Rational> sent, received;
  for (std::size_t l = 0; l < routes.links(0).size(); ++l) {
    const Rational share = routes.shares(0)[l];
    EXPECT_EQ(share * Rational(4), Rational((share * Rational(4)).numerator()));
    sent[square.tail(routes.links(0)[l])] += share;
    received[square.head(routes.links(0)[l])] += share;
  }
  EXPECT_EQ(sent[NodeId(0)], Rational(1));
  EXPECT_EQ(received[NodeId(3)], Rational(1));
  EXPECT_EQ(sent[NodeId(1)], received[NodeId(1)]);
  EXPECT_EQ(sent[NodeId(2)], received[NodeId(2)]);
  EXPECT_EQ(routes.latency_ps(0), 20);
}

TEST(Ecmp, one_connection_is_shortest_random) {
  const Topology torus = make_topology("torus:4x4");
  const std::vector<Flow> flows{{NodeId(0), NodeId(10)}, {NodeId(3), NodeId(5)}};
  const RouteTable drawn = routed("shortest-random", torus, flows, 7);
  for (const char* name : {"ecmp", "ecmp:1"}) {
    const RouteTable routes = routed(name, torus, flows, 7);
    for (std::int64_t f = 0; f < 2; ++f)
      EXPECT_TRUE(std::ranges::equal(routes.links(f), drawn.links(f))) << name;
    EXPECT_FALSE(routes.has_shares()) << name;
  }
}

// Shares of a flow by link class and, within one, by the number of links that carry each.
std::map<std::string, std::map<Rational, int>> shares_by_class(const Topology& topology, Flow flow,
                                                               const char* name) {
  const RouteTable routes = routed(name, topology, {flow});
  std::map<std::string, std::map<Rational, int>> found;
  for (std::size_t l = 0; l < routes.links(0).size(); ++l) {
    const auto of = topology.link_class(routes.links(0)[l]);
    ++found[topology.class_names()[of]][routes.has_shares() ? routes.shares(0)[l] : Rational(1)];
  }
  return found;
}

// A GPU of a DGX H100 stripes over four NVSwitches: a fourth up and down each. Outside a connection
// has one path through the leaves, of which the spine is drawn: leaf up, spine down, both ends.
TEST(Ecmp, hashes_only_outside_of_boxes) {
  const Topology rails = make_topology(
      "boxes(4, wiring=rail, network:dgx-h100, leaf-spine:leaves=2,spines=4,hosts=2)");
  using Shares = std::map<std::string, std::map<Rational, int>>;
  const Rational fourth(1, 4);
  for (const char* name : {"ecmp", "ecmp:2"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(shares_by_class(rails, {NodeId(0), NodeId(1)}, name),
              (Shares{{"nvlink", {{fourth, 8}}}}));
  }
  const Shares outside{{"terminal", {{Rational(1), 2}}}, {"level1", {{Rational(1), 2}}}};
  EXPECT_EQ(shares_by_class(rails, {NodeId(0), NodeId(24)}, "ecmp"), outside);
  Shares both = outside;  // another rail: its GPU of this box passes all on
  both["nvlink"][fourth] = 8;
  EXPECT_EQ(shares_by_class(rails, {NodeId(0), NodeId(25)}, "ecmp"), both);
}

// One link joins a GPU to the switch of its box, so that nothing is divided.
TEST(Ecmp, has_one_path_within_boxes_of_one_switch) {
  const Topology rails = make_topology("rail:boxes=2,gpus=4,spines=2");
  const RouteTable routes = routed("ecmp", rails, {{NodeId(0), NodeId(1)}, {NodeId(0), NodeId(4)}});
  EXPECT_FALSE(routes.has_shares());
  EXPECT_EQ(routes.links(0).size(), 2u);
  EXPECT_EQ(routes.links(1).size(), 2u);
}

TEST(Ecmp, rejects_numbers_that_are_none) {
  const Topology square = make_topology("hypercube:2");
  for (const char* name : {"ecmp:0", "ecmp:-1", "ecmp:x", "ecmp:", "ecmp:1025", "shortest:2"})
    EXPECT_THROW(routed(name, square, {}), InvalidInput) << name;
}

TEST(ShortestRandom, seeds_draw_every_path_about_equally_often) {
  // Opposite corners of a square: two paths; 0 -> 1 -> 3 starts with the link to 1.
  const Topology square = make_topology("hypercube:2");
  int by_one = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RouteTable routes = routed("shortest-random", square, {{NodeId(0), NodeId(3)}}, seed);
    by_one += square.head(routes.links(0)[0]) == NodeId(1);
  }
  EXPECT_NEAR(by_one, 500, 80);  // five standard deviations of sqrt(1000) / 2
}

TEST(ShortestRandom, pairs_draw_independently_and_a_pair_always_alike) {
  const Topology torus = make_topology("torus:6x6");
  std::vector<Flow> flows;
  for (int i = 0; i < 36; ++i) flows.push_back({NodeId(i), NodeId((i + 14) % 36)});
  flows.push_back(flows.front());
  const RouteTable routes = routed("shortest-random", torus, flows, 3);
  EXPECT_TRUE(std::ranges::equal(routes.links(0), routes.links(36)));
  std::set<std::vector<int>> shapes;  // differences along the path, from each start
  for (std::int64_t i = 0; i < 36; ++i) {
    std::vector<int> shape;
    for (LinkId link : routes.links(i))
      shape.push_back((torus.head(link).value() - torus.tail(link).value() + 36) % 36);
    shapes.insert(shape);
  }
  EXPECT_GT(shapes.size(), 3u);
}

TEST(ShortestRandom, draws_among_parallel_links) {
  TopologyBuilder builder(2);
  for (int i = 0; i < 3; ++i) builder.add_cable(NodeId(0), NodeId(1));
  const Topology bundle = std::move(builder).build(Expression{"made", "1", {}, 1});
  std::set<LinkId> drawn;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    drawn.insert(routed("shortest-random", bundle, {{NodeId(0), NodeId(1)}}, seed).links(0)[0]);
  EXPECT_EQ(drawn.size(), 3u);
}

TEST(ShortestSplit, halves_at_the_corners_of_a_square) {
  const Topology square = make_topology("ring:4");
  const RouteTable routes = routed("shortest-split", square, {{NodeId(0), NodeId(2)}});
  EXPECT_EQ(routes.links(0).size(), 4u);
  for (const auto& [link, share] : shares(routes)) EXPECT_EQ(share, Rational(1, 2));
  EXPECT_EQ(routes.latency_ps(0), 20);
}

TEST(ShortestSplit, crosses_a_cube_in_thirds_and_sixths) {
  // Three links leave 000, six join the nodes of weight 1 and 2, three reach 111.
  const Topology cube = make_topology("hypercube:3");
  std::map<Rational, int> count;
  for (const auto& [link, share] : shares(routed("shortest-split", cube, {{NodeId(0), NodeId(7)}})))
    ++count[share];
  EXPECT_EQ(count, (std::map<Rational, int>{{Rational(1, 6), 6}, {Rational(1, 3), 6}}));
}

// Two GPUs of a box, 0 and 1, whose switch is 2 and whose cards hang on leaf 3; 4 has two cables to
// the leaf, one of them slow.
TEST(WidestSplit, takes_the_fastest_of_the_links_that_lead_nearer) {
  TopologyBuilder builder(5);
  builder.set_kind(NodeId(2), NodeKind::switch_node).set_kind(NodeId(3), NodeKind::switch_node);
  const ClassId box = builder.link_class("box"), card = builder.link_class("card");
  for (const int gpu : {0, 1}) {
    builder.add_cable(NodeId(gpu), NodeId(2), box);
    builder.add_cable(NodeId(gpu), NodeId(3), card);
  }
  builder.add_cable(NodeId(3), NodeId(4), card);
  builder.add_cable(NodeId(3), NodeId(4), box);
  const BuiltTopology built{std::move(builder).build(Expression{"made", "1", {}, 1}), {}};
  const auto busy = [&](std::int64_t box_Bps, Flow flow) {
    LinkOptions options;
    options.by_class.emplace("box", LinkSpeed{.bandwidth_Bps = box_Bps, .latency_ps = 1});
    options.by_class.emplace("card", LinkSpeed{.bandwidth_Bps = 50, .latency_ps = 10});
    RouteTable routes;
    make_routing("widest-split", Fabric(built, options))->route(std::vector<Flow>{flow}, routes);
    std::map<std::string, Rational> by_class;
    for (const auto& [link, share] : shares(routes))
      by_class[built.topology.class_names()[built.topology.link_class(link)]] += share;
    return by_class;
  };
  using Shares = std::map<std::string, Rational>;
  EXPECT_EQ(busy(450, {NodeId(0), NodeId(1)}), (Shares{{"box", Rational(2)}}));
  EXPECT_EQ(busy(50, {NodeId(0), NodeId(1)}),
            (Shares{{"box", Rational(1)}, {"card", Rational(1)}}));
  EXPECT_EQ(busy(450, {NodeId(0), NodeId(4)}),
            (Shares{{"box", Rational(1)}, {"card", Rational(1)}}));
  EXPECT_EQ(busy(10, {NodeId(0), NodeId(4)}), (Shares{{"card", Rational(2)}}));
}

// Six links of a GPU to the switches of its box are slower than its card, each, and faster
// together.
TEST(WidestSplit, adds_up_the_links_of_a_class) {
  const Topology box = make_topology("boxes(2, xgft:1;4;6, xgft:1;8;1)");
  LinkOptions options;
  options.by_class.emplace("terminal", LinkSpeed{.bandwidth_Bps = 50, .latency_ps = 10});
  options.by_class.emplace("box-terminal", LinkSpeed{.bandwidth_Bps = 25, .latency_ps = 1});
  RouteTable routes;
  const std::vector<Flow> flows{{NodeId(0), NodeId(3)}};
  make_routing("widest-split", Fabric({box, {}}, options))->route(flows, routes);
  EXPECT_EQ(routes.links(0).size(), 12u);
  for (const auto& [link, share] : shares(routes)) EXPECT_EQ(share, Rational(1, 6));
}

TEST(ShortestSplit, counts_parallel_links_separately_and_takes_the_longest_latency) {
  // 0 -> 1 -> 3 and, over one of two parallel links, 0 => 2 -> 3.
  TopologyBuilder builder(4);
  const ClassId fast = builder.link_class("fast"), slow = builder.link_class("slow");
  builder.add_link(NodeId(0), NodeId(1), fast);
  builder.add_link(NodeId(0), NodeId(2), fast);
  builder.add_link(NodeId(0), NodeId(2), slow);
  builder.add_link(NodeId(1), NodeId(3), fast);
  builder.add_link(NodeId(2), NodeId(3), fast);
  const BuiltTopology built{std::move(builder).build(Expression{"made", "1", {}, 1}), {}};
  LinkOptions options;
  options.by_class.emplace("fast", LinkSpeed{.latency_ps = 1});
  options.by_class.emplace("slow", LinkSpeed{.latency_ps = 50});
  RouteTable routes;
  const std::vector<Flow> flows{{NodeId(0), NodeId(3)}};
  make_routing("shortest-split", Fabric(built, options))->route(flows, routes);
  EXPECT_EQ(shares(routes), (std::map<LinkId, Rational>{{LinkId(0), Rational(1, 3)},
                                                        {LinkId(1), Rational(1, 3)},
                                                        {LinkId(2), Rational(1, 3)},
                                                        {LinkId(3), Rational(1, 3)},
                                                        {LinkId(4), Rational(2, 3)}}));
  EXPECT_EQ(routes.latency_ps(0), 51);
}

TEST(ShortestSplit, lists_every_link_once) {
  const Topology torus = make_topology("hosts(1, torus:4x4x4)");
  const RouteTable routes = routed("shortest-split", torus, {{NodeId(64), NodeId(64 + 42)}});
  EXPECT_EQ(shares(routes).size(), routes.links(0).size());
}

TEST(ShortestSplit, rejects_shares_beyond_128_bits) {
  // On a mesh the shares k steps from the corner are binomials over 2^k, and k grows beyond 127.
  const Topology mesh = make_topology("mesh:150x150");
  EXPECT_THROW(routed("shortest-split", mesh, {{NodeId(0), NodeId(22499)}}), InvalidInput);
}

TEST(ShortestSplit, names_both_nodes_when_one_cannot_be_reached) {
  const Topology one_way = test::random_graph(1, 3, 0, test::Switches::none);
  EXPECT_THROW(routed("shortest-split", one_way, {{NodeId(0), NodeId(2)}}), InvalidInput);
  EXPECT_THROW(routed("shortest-random", one_way, {{NodeId(0), NodeId(2)}}), InvalidInput);
}

}  // namespace
}  // namespace weft::network
