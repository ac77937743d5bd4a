#include "weft/topology/views.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// The coordinate in which two nodes differ, or -1 when it is not exactly one.
int single_difference(const Extents& space, std::int64_t u, std::int64_t v) {
  int found = -1;
  for (int d = 0; d < space.dimensions(); ++d) {
    if (space.coordinate(u, d) == space.coordinate(v, d)) continue;
    if (found >= 0) return -1;
    found = d;
  }
  return found;
}

enum class Rule : std::uint8_t { hamming, torus, mesh };

bool linked_by(Rule rule, const Extents& space, std::int64_t u, std::int64_t v) {
  const int d = single_difference(space, u, v);
  if (d < 0) return false;
  const int step = std::abs(space.coordinate(u, d) - space.coordinate(v, d));
  if (rule == Rule::hamming) return true;
  return step == 1 || (rule == Rule::torus && step == space.extents[d] - 1);
}

// The switches of a network with hosts, else the nodes, are linked once exactly when the rule says.
void expect_rule(const Topology& t, Rule rule, const Extents& space) {
  const std::int64_t nodes = t.has_switches() ? std::ssize(t.switches()) : t.node_count();
  ASSERT_EQ(space.size(), nodes) << t.name();
  for (std::int64_t u = 0; u < nodes; ++u) {
    EXPECT_EQ(space.node(space.coordinates(u)), u);
    for (std::int64_t v = 0; v < nodes; ++v) {
      int links = 0;
      for (LinkId link : t.out_links(NodeId(u))) links += t.head(link) == NodeId(v);
      EXPECT_EQ(links, linked_by(rule, space, u, v) ? 1 : 0) << t.name() << ": " << u << " " << v;
    }
  }
}

std::vector<int> extents_or_empty(const std::optional<Extents>& view) {
  return view ? view->extents : std::vector<int>{};
}

template <class View>
std::optional<Extents> plain(const std::optional<View>& view) {
  return view ? std::optional<Extents>(*view) : std::nullopt;
}

TEST(Views, every_view_is_true_of_the_graph) {
  using E = std::vector<int>;
  const struct {
    const char* text;
    E hamming, torus, mesh;  // empty: no such view
  } cases[] = {
      {"hypercube:3", {2, 2, 2}, {2, 2, 2}, {2, 2, 2}},
      {"torus:3x3", {3, 3}, {3, 3}, {}},
      {"torus:4x2x3", {}, {4, 2, 3}, {}},
      {"mesh:2x2", {2, 2}, {2, 2}, {2, 2}},
      {"mesh:3x2", {}, {}, {3, 2}},
      {"2dfc:4x3", {4, 3}, {}, {}},
      {"hamming:3x2x3", {3, 2, 3}, {3, 2, 3}, {}},
      {"hyperx:4x3", {4, 3}, {}, {}},
      {"hyperx:3x2,1", {3, 2}, {3, 2}, {}},
      {"hyperx:3x2,2,1", {}, {}, {}},
      {"hyperx:2x2 * ring:5", {}, {2, 2, 5}, {}},
      {"complete:5", {5}, {}, {}},
      {"complete:3", {3}, {3}, {}},
      {"complete:2", {2}, {2}, {2}},
      {"ring:6", {}, {6}, {}},
      {"ring:3", {3}, {3}, {}},
      {"ring:4 * torus:3x2", {}, {4, 3, 2}, {}},
      {"complete:4 * hypercube:2", {4, 2, 2}, {}, {}},
      {"power(2, complete:3)", {3, 3}, {3, 3}, {}},
      {"power(2, ring:3 * mesh:2x2)", {3, 2, 2, 3, 2, 2}, {3, 2, 2, 3, 2, 2}, {}},
      {"hosts(2, 2dfc:3x4)", {3, 4}, {}, {}},
      {"ring:4 * uniring:3", {}, {}, {}},
      {"without(link=0, torus:3x3)", {}, {}, {}},
      {"hosts(1, without(cable=0, torus:4x4))", {}, {}, {}},
      {"kautz:2,2", {}, {}, {}},
  };
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text);
    const auto hamming = plain(as_hamming(t)), torus = plain(as_torus(t)), mesh = plain(as_mesh(t));
    EXPECT_EQ(extents_or_empty(hamming), c.hamming) << c.text;
    EXPECT_EQ(extents_or_empty(torus), c.torus) << c.text;
    EXPECT_EQ(extents_or_empty(mesh), c.mesh) << c.text;
    if (hamming) expect_rule(t, Rule::hamming, *hamming);
    if (torus) expect_rule(t, Rule::torus, *torus);
    if (mesh) expect_rule(t, Rule::mesh, *mesh);
  }
}

TEST(Views, kautz_numbers_are_the_congruence) {
  for (const char* text : {"kautz:3,2", "genkautz:3,12", "hosts(2, kautz:2,3)", "genkautz:4,5"}) {
    const Topology t = make_topology(text);
    const auto view = as_kautz(t);
    ASSERT_TRUE(view) << text;
    const std::int64_t n = t.has_switches() ? std::ssize(t.switches()) : t.node_count();
    const double size = std::pow(view->degree, view->diameter) * (1 + 1.0 / view->degree);
    EXPECT_EQ(n, std::llround(size)) << text;
    for (std::int64_t u = 0; u < n; ++u)
      for (int j = 1; j <= view->degree; ++j) {
        const std::int64_t head = ((-(view->degree * u + j)) % n + n) % n;
        EXPECT_TRUE(t.find_link(NodeId(u), NodeId(head))) << text;
      }
  }
  EXPECT_FALSE(as_kautz(make_topology("genkautz:3,13")));
  EXPECT_FALSE(as_kautz(make_topology("debruijn:2,3")));
}

TEST(Views, a_failure_removes_them) {
  EXPECT_FALSE(as_dragonfly(make_topology("without(cable=1, dragonfly:a=2,p=1,h=1)")));
  EXPECT_FALSE(as_xgft(make_topology("without(cable=1, fat-tree:2,2)")));
  EXPECT_FALSE(as_kautz(make_topology("without(link=1, kautz:2,2)")));
}

TEST(Views, hosts_hang_on_one_switch) {
  EXPECT_TRUE(as_attached_hosts(make_topology("fat-tree:2,2")));
  EXPECT_TRUE(as_attached_hosts(make_topology("dragonfly:a=2,p=1,h=1")));
  EXPECT_FALSE(as_attached_hosts(make_topology("ring:4")));
  EXPECT_FALSE(as_attached_hosts(make_topology("xgft:2;2,2;2,1")));  // two switches a host
  EXPECT_FALSE(as_attached_hosts(make_topology("without(link=6, hosts(1, uniring:3))")));
}

TEST(Views, know_the_parameters_of_slimfly_polarfly_and_xpander) {
  const auto slim = as_slimfly(make_topology("hosts(2, slimfly:4)"));
  ASSERT_TRUE(slim);
  EXPECT_EQ(slim->q, 4);
  EXPECT_EQ(slim->group(31), 7);  // 2 q groups of q nodes
  ASSERT_TRUE(as_polarfly(make_topology("polarfly:9")));
  EXPECT_EQ(as_polarfly(make_topology("polarfly:9"))->q, 9);
  const auto lift = as_xpander(make_topology("hosts(1, xpander:4,6,seed=3)"));
  ASSERT_TRUE(lift);
  EXPECT_EQ(lift->degree, 4);
  EXPECT_EQ(lift->copies, 6);
  for (const char* text : {"torus:3x3", "without(cable=1, slimfly:3)", "transpose(polarfly:3)"}) {
    const Topology t = make_topology(text);
    EXPECT_FALSE(as_slimfly(t) || as_polarfly(t) || as_xpander(t)) << text;
  }
}

TEST(Views, xpander_joins_meta_nodes_by_perfect_matchings) {
  const Topology t = make_topology("xpander:5,7,seed=2");
  const auto meta_node = [copies = as_xpander(t)->copies](NodeId node) {
    return node.value() / copies;
  };
  for (NodeId node : t.nodes()) {
    std::vector<int> links(6, 0);
    for (LinkId link : t.out_links(node)) ++links[meta_node(t.head(link))];
    std::vector<int> expected(6, 1);
    expected[meta_node(node)] = 0;
    EXPECT_EQ(links, expected);
  }
}

}  // namespace
}  // namespace weft::topology
