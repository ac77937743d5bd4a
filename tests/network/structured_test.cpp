// Routings that follow a structure: dimension order, trees, Dragonflies, diameter two.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "support/judges/naive_routes.hpp"
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
      all.push_back(topology.class_names()[topology.link_class(link)]);
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

TEST(DimensionOrder, goes_the_shorter_way_round_and_as_dimension_order_up_up_when_half_way) {
  const Router ring("dimension-order-up", "ring:6");
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
    expect_commutes_with_translations(Router("dimension-order-up", expression));
  }
  EXPECT_FALSE(Router("dimension-order", "mesh:3x3").routing().translation_invariant());
}

// The place of each link of a path among the links out of its tail: the same at every node of
// HyperX for the same move.
std::vector<int> moves(const Router& router, int from, int to) {
  std::vector<int> all;
  for (LinkId link : router.links(from, to)) {
    const auto out = router.topology.out_links(router.topology.tail(link));
    all.push_back(link.value() - out[0].value());
  }
  return all;
}

TEST(DimensionOrder, takes_the_same_one_of_parallel_links_from_every_node) {
  const Router router("dimension-order", "hyperx:4x3,3,2");
  ASSERT_TRUE(router.routing().translation_invariant());
  const auto view = *as_hyperx(router.topology);
  for (int from = 0; from < 12; ++from)
    for (int to = 0; to < 12; ++to) {
      const int x = (view.coordinate(to, 0) - view.coordinate(from, 0) + 4) % 4;
      const int y = (view.coordinate(to, 1) - view.coordinate(from, 1) + 3) % 3;
      EXPECT_EQ(moves(router, from, to), moves(router, 0, x + 4 * y));
    }
}

// Flows on each link between switches when every host sends to every other.
std::map<LinkId, int> all_to_all_loads(const Router& router) {
  std::map<LinkId, int> load;
  const Topology& t = router.topology;
  for (LinkId link : t.links())
    if (!t.has_switches() || (!t.is_host(t.tail(link)) && !t.is_host(t.head(link)))) load[link] = 0;
  for (NodeId from : t.hosts())
    for (NodeId to : t.hosts())
      if (from != to)
        for (LinkId link : router.links(from.value(), to.value()))
          if (load.contains(link)) ++load[link];
  return load;
}

TEST(DimensionOrder, spreads_destinations_evenly_over_parallel_links) {
  // In x the links towards offset a carry the 4 destinations of that column, in y the 4 sources of
  // a row: two on each of two links. With hosts 4 x 2 x 2 flows, half of them on each.
  for (const auto& [link, flows] : all_to_all_loads(Router("dimension-order", "hyperx:4x4,2")))
    EXPECT_EQ(flows, 2) << link.value();
  for (const auto& [link, flows] :
       all_to_all_loads(Router("dimension-order", "hosts(2, hyperx:4x4,2)")))
    EXPECT_EQ(flows, 8) << link.value();
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

TEST(Minimal, goes_up_over_one_global_link_and_down_on_dragonfly_plus) {
  using Classes = std::vector<std::string>;
  for (const char* expression :
       {"dragonfly-plus:l=3,s=2,p=2,h=3", "dragonfly-plus:l=2,s=4,p=3,h=2,g=4"}) {
    const Router router("minimal", expression);
    const auto view = *as_dragonfly_plus(router.topology);
    const int first = view.g * view.group_size();
    const auto leaf = [&](int host) { return (host - first) / view.p; };
    for (NodeId from : router.topology.hosts())
      for (NodeId to : router.topology.hosts()) {
        if (from == to) continue;
        const int a = leaf(from.value()), b = leaf(to.value());
        Classes expected{"terminal", "local", "global", "local", "terminal"};
        if (a / view.l == b / view.l) expected = {"terminal", "local", "local", "terminal"};
        if (a == b) expected = {"terminal", "terminal"};
        ASSERT_EQ(router.classes(from.value(), to.value()), expected) << expression;
      }
  }
}

TEST(Minimal, spreads_the_hosts_of_a_dragonfly_plus_over_spines_and_global_links) {
  // Two groups of two leaves with two hosts each: 8 hosts from node 8 on. A group has 2 spines with
  // 2 global links each, 4 links to the other group; 4 x 4 host pairs use them, one in four by the
  // target: 4 flows on each. Up to a spine go the 2 hosts of a leaf, over half of the global links
  // (2 x 4 / 2 flows) and towards half of the hosts on the other leaf (2 x 2 / 2); down likewise.
  const Router router("minimal", "dragonfly-plus:l=2,s=2,p=2,h=2,g=2");
  for (const auto& [link, flows] : all_to_all_loads(router)) {
    const auto name = router.topology.class_names()[router.topology.link_class(link)];
    EXPECT_EQ(flows, name == "global" ? 4 : 6) << link.value();
  }
}

TEST(Minimal, rejects_flows_of_spines) {
  const Router router("minimal", "dragonfly-plus:l=2,s=2,p=1,h=1");  // spines 2, 3, 6, 7, 10, 11
  EXPECT_THROW(router.links(2, 4), InvalidInput);
  EXPECT_THROW(router.links(4, 3), InvalidInput);
  EXPECT_EQ(router.links(0, 5).size(), 3u);  // from leaf to leaf
}

TEST(Minimal, takes_the_cross_product_of_points_on_polarfly) {
  const int q = 7;
  const Router router("minimal", "polarfly:7");
  using Point = std::array<int, 3>;
  const auto point = [](int node) -> Point {
    if (node == 0) return {0, 0, 1};
    if (node <= q) return {0, 1, node - 1};
    return {1, (node - 1 - q) / q, (node - 1 - q) % q};
  };
  const auto node_of = [&](Point p) {  // scaled so that the first coordinate other than 0 is 1
    for (int factor = 1; factor < q; ++factor) {
      const Point s{factor * p[0] % q, factor * p[1] % q, factor * p[2] % q};
      for (int node = 0; node < q * q + q + 1; ++node)
        if (point(node) == s) return node;
    }
    return -1;
  };
  for (int u = 0; u < q * q + q + 1; ++u)
    for (int v = 0; v < q * q + q + 1; ++v) {
      if (u == v) continue;
      const Point a = point(u), b = point(v);
      const auto cross = [&](std::size_t i, std::size_t j) {
        return ((a[i] * b[j] - a[j] * b[i]) % q + q) % q;
      };
      Nodes expected{u, node_of({cross(1, 2), cross(2, 0), cross(0, 1)}), v};
      if ((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) % q == 0) expected = {u, v};
      ASSERT_EQ(router.nodes(u, v), expected);
    }
}

TEST(Minimal, shares_the_common_neighbours_on_slim_fly) {
  // slimfly:7 has 98 nodes of degree 11: 11 x 10 paths of two links lead to 86 nodes, so that some
  // have several; all of them are taken, by some target.
  const Router router("minimal", "slimfly:7");
  const Router lowest("shortest", "slimfly:7");
  const Topology& t = router.topology;
  int several = 0, other = 0;
  for (int u = 0; u < 98; ++u)
    for (int v = 0; v < 98; ++v) {
      if (u == v || t.find_link(NodeId(u), NodeId(v))) continue;
      Nodes common;
      for (int w = 0; w < 98; ++w)
        if (t.find_link(NodeId(u), NodeId(w)) && t.find_link(NodeId(w), NodeId(v)))
          common.push_back(w);
      const auto size = common.size();
      ASSERT_EQ(router.nodes(u, v), (Nodes{u, common[static_cast<std::size_t>(v) % size], v}));
      several += size > 1;
      other += router.nodes(u, v) != lowest.nodes(u, v);
    }
  EXPECT_GT(several, 0);
  EXPECT_GT(other, 0);
}

}  // namespace
}  // namespace weft::network
