// Routings that follow a structure: dimension order, trees, Dragonfly.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/naive_routes.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {
namespace {

class Router {
 public:
  Router(const char* routing, const char* expression)
      : topology(make_topology(expression)),
        routing_(make_routing(routing, Fabric(topology, LinkSpeed{}))) {}

  std::vector<LinkId> links(int from, int to) const {
    RouteTable routes;
    const Flow flow{NodeId(from), NodeId(to)};
    routing_->route(std::span(&flow, 1), routes);
    return {routes.links(0).begin(), routes.links(0).end()};
  }

  // The nodes that the path visits, ends included.
  std::vector<int> nodes(int from, int to) const {
    std::vector<int> all{from};
    for (LinkId link : links(from, to)) all.push_back(topology.head(link).value());
    return all;
  }

  // Names of the classes of the path's links.
  std::vector<std::string> classes(int from, int to) const {
    std::vector<std::string> all;
    for (LinkId link : links(from, to))
      all.push_back(topology.class_names()[topology.link_class(link).index()]);
    return all;
  }

  const Routing& routing() const { return *routing_; }

  const Topology topology;

 private:
  std::shared_ptr<const Routing> routing_;
};

using Nodes = std::vector<int>;

TEST(DimensionOrder, corrects_the_first_dimension_first) {
  // Node = x + 4 y: from (0, 0) to (1, 2) over (1, 0) and (1, 1); on 2dfc straight to the row.
  EXPECT_EQ(Router("dimension-order", "mesh:4x3").nodes(0, 9), (Nodes{0, 1, 5, 9}));
  EXPECT_EQ(Router("dimension-order", "2dfc:4x3").nodes(0, 9), (Nodes{0, 1, 9}));
  // Switches 0..11, two hosts each: host 12 + 2 s + i. Host 13 is on switch 0, host 30 on switch 9.
  EXPECT_EQ(Router("dimension-order", "hosts(2, mesh:4x3)").nodes(13, 30),
            (Nodes{13, 0, 1, 5, 9, 30}));
}

TEST(DimensionOrder, goes_the_shorter_way_round_and_up_when_half_way) {
  const Router ring("dimension-order", "ring:6");
  EXPECT_EQ(ring.nodes(0, 2), (Nodes{0, 1, 2}));
  EXPECT_EQ(ring.nodes(0, 4), (Nodes{0, 5, 4}));
  EXPECT_EQ(ring.nodes(1, 4), (Nodes{1, 2, 3, 4}));
  EXPECT_EQ(ring.nodes(4, 1), (Nodes{4, 5, 0, 1}));
}

// route(g x, g y) = g route(x, y) for every translation g of the extents.
void expect_commutes_with_translations(const Router& router) {
  ASSERT_TRUE(router.routing().translation_invariant());
  topology::Extents extents;
  if (const auto view = as_hamming(router.topology)) extents = *view;
  if (const auto view = as_torus(router.topology)) extents = *view;
  const int n = router.topology.node_count();
  const auto translate = [&](int node, int by) {
    auto coordinates = extents.coordinates(node);
    for (int d = 0; d < extents.dimensions(); ++d) {
      const auto at = static_cast<std::size_t>(d);
      coordinates[at] = (coordinates[at] + extents.coordinate(by, d)) % extents.extents[at];
    }
    return static_cast<int>(extents.node(coordinates));
  };
  for (int from = 0; from < n; ++from)
    for (int to = 0; to < n; ++to)
      for (int by = 0; by < n; ++by) {
        Nodes expected = router.nodes(from, to);
        for (int& node : expected) node = translate(node, by);
        ASSERT_EQ(router.nodes(translate(from, by), translate(to, by)), expected);
      }
}

TEST(DimensionOrder, commutes_with_translations_where_it_says_so) {
  for (const char* expression : {"torus:4x3", "torus:2x4x2", "hamming:3x4", "hypercube:3"}) {
    SCOPED_TRACE(expression);
    expect_commutes_with_translations(Router("dimension-order", expression));
  }
  EXPECT_FALSE(Router("dimension-order", "mesh:3x3").routing().translation_invariant());
}

TEST(Shortest, commutes_with_translations_where_paths_are_unique) {
  for (const char* expression : {"complete:5", "ring:7", "ring:2"}) {
    SCOPED_TRACE(expression);
    expect_commutes_with_translations(Router("shortest", expression));
  }
  for (const char* expression : {"ring:6", "torus:3x3", "mesh:5", "kautz:2,2"})
    EXPECT_FALSE(Router("shortest", expression).routing().translation_invariant()) << expression;
}

TEST(ModK, climbs_by_the_digits_of_its_key) {
  // fat-tree:2,2 has hosts 0..3, leaves 4, 5 and roots 6, 7: the root is destination mod 2, or
  // source mod 2.
  EXPECT_EQ(Router("d-mod-k", "fat-tree:2,2").nodes(0, 3), (Nodes{0, 4, 7, 5, 3}));
  EXPECT_EQ(Router("d-mod-k", "fat-tree:2,2").nodes(1, 2), (Nodes{1, 4, 6, 5, 2}));
  EXPECT_EQ(Router("s-mod-k", "fat-tree:2,2").nodes(0, 3), (Nodes{0, 4, 6, 5, 3}));
  EXPECT_EQ(Router("s-mod-k", "fat-tree:2,2").nodes(1, 2), (Nodes{1, 4, 7, 5, 2}));
  EXPECT_EQ(Router("s-mod-k", "fat-tree:2,2").nodes(1, 0), (Nodes{1, 4, 0}));
}

TEST(ModK, source_routes_are_destination_routes_backwards) {
  for (const char* expression : {"fat-tree:3,2", "xgft:3;2,3,2;1,2,3", "xgft:2;3,2;2,3"}) {
    const Router by_destination("d-mod-k", expression), by_source("s-mod-k", expression);
    const int hosts = static_cast<int>(by_source.topology.hosts().size());
    for (int s = 0; s < hosts; ++s)
      for (int d = 0; d < hosts; ++d) {
        Nodes backwards = by_destination.nodes(d, s);
        std::ranges::reverse(backwards);
        ASSERT_EQ(by_source.nodes(s, d), backwards);
      }
  }
}

TEST(ModK, shifts_do_not_contend_on_trees_of_full_bandwidth) {
  // Zahavi 2011: with D-Mod-K every shift permutation loads each link by at most one flow.
  for (const char* expression :
       {"fat-tree:4,2", "fat-tree:2,4", "fat-tree:3,3", "xgft:2;4,6;1,4"}) {
    const Router router("d-mod-k", expression);
    const int hosts = static_cast<int>(router.topology.hosts().size());
    for (int shift = 1; shift < hosts; ++shift) {
      std::map<LinkId, int> load;
      for (int s = 0; s < hosts; ++s)
        for (LinkId link : router.links(s, (s + shift) % hosts)) ++load[link];
      for (const auto& [link, flows] : load)
        ASSERT_EQ(flows, 1) << expression << " shift " << shift << " link " << link.value();
    }
  }
}

TEST(ModK, rejects_flows_of_switches) {
  const Router tree("d-mod-k", "fat-tree:2,2");
  EXPECT_THROW(tree.links(0, 4), InvalidInput);
  EXPECT_THROW(tree.links(7, 1), InvalidInput);
}

TEST(Minimal, takes_at_most_one_local_link_on_each_side_of_one_global) {
  for (const char* expression :
       {"dragonfly:a=4,p=2,h=2", "dragonfly:a=4,p=2,h=2,g=5",
        "dragonfly:a=3,p=1,h=3,g=4,arrangement=relative", "dragonfly:a=1,p=1,h=3"}) {
    SCOPED_TRACE(expression);
    const Router router("minimal", expression);
    const auto view = *as_dragonfly(router.topology);
    const auto group = [&](int host) { return (host - view.a * view.g) / view.p / view.a; };
    for (NodeId from : router.topology.hosts())
      for (NodeId to : router.topology.hosts()) {
        if (from == to) continue;
        const auto classes = router.classes(from.value(), to.value());
        ASSERT_EQ(classes.front(), "terminal");
        ASSERT_EQ(classes.back(), "terminal");
        const auto count = [&](const char* name) { return std::ranges::count(classes, name); };
        const bool across = group(from.value()) != group(to.value());
        ASSERT_EQ(count("global"), across ? 1 : 0);
        ASSERT_LE(count("local"), across ? 2 : 1);
        const auto global = std::ranges::find(classes, "global");
        ASSERT_LE(std::count(classes.begin(), global, "local"), 1);
      }
  }
}

TEST(Minimal, prefers_gateways_at_its_ends_and_spreads_targets_over_parallel_links) {
  // Groups {0, 1} and {2, 3}, joined by four links 0 - 2 and four 1 - 3; hosts 4..7 in their order.
  const Router router("minimal", "dragonfly:a=2,p=1,h=4,g=2");
  EXPECT_EQ(router.nodes(4, 6), (Nodes{4, 0, 2, 6}));
  EXPECT_EQ(router.nodes(5, 7), (Nodes{5, 1, 3, 7}));
  for (int from : {4, 5})
    for (int to : {6, 7}) EXPECT_LE(router.links(from, to).size(), 4u);  // one local at most
  // Router 2 takes link 2 mod 4 of the four at its ends, router 3 link 3 mod 8 of all eight.
  EXPECT_NE(router.links(4, 6)[1], router.links(4, 7)[1]);
}

}  // namespace
}  // namespace weft::network
