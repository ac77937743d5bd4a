#include <gtest/gtest.h>

#include <string>

#include "topology/structure.hpp"
#include "weft/topology/families/algebraic/polarfly.hpp"
#include "weft/topology/families/algebraic/slimfly.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// Paths of two links from each node to each other one.
std::vector<std::vector<int>> two_link_paths(const Topology& t) {
  const auto n = static_cast<std::size_t>(t.node_count());
  std::vector<std::vector<int>> count(n, std::vector<int>(n, 0));
  for (LinkId first : t.links())
    for (LinkId second : t.out_links(t.head(first)))
      ++count[t.tail(first).index()][t.head(second).index()];
  return count;
}

// Any two nodes are linked or have a common neighbour, and some are not linked.
bool has_diameter_two(const Topology& t) {
  const auto paths = two_link_paths(t);
  bool all_linked = true;
  for (NodeId u : t.nodes())
    for (NodeId v : t.nodes()) {
      const bool linked = u == v || t.find_link(u, v);
      if (!linked && paths[u.index()][v.index()] == 0) return false;
      all_linked = all_linked && linked;
    }
  return !all_linked;
}

TEST(SlimFly, has_the_size_degree_and_diameter_of_its_formulas) {
  const struct {
    int q, nodes, degree;
  } cases[] = {
      // Besta, Hoefler 2014: N_r = 2 q^2, k' = (3 q - delta) / 2; q = 19 is their 722 routers of 29
      {3, 18, 5},    {4, 32, 6},     {5, 50, 7},     {7, 98, 11},    {8, 128, 12},
      {9, 162, 13},  {11, 242, 17},  {13, 338, 19},  {16, 512, 24},  {17, 578, 25},
      {19, 722, 29}, {23, 1058, 35}, {25, 1250, 37}, {27, 1458, 41},
  };
  for (const auto& c : cases) {
    const Topology t = slimfly(c.q);
    EXPECT_EQ(t.node_count(), c.nodes) << t.name();
    EXPECT_EQ(t.nominal_degree(), c.degree) << t.name();
    for (NodeId node : t.nodes()) ASSERT_EQ(t.out_degree(node), c.degree) << t.name();
    EXPECT_FALSE(has_loop(t)) << t.name();
    EXPECT_FALSE(has_double_link(t)) << t.name();
    EXPECT_TRUE(has_diameter_two(t)) << t.name();
    expect_sound_reverses(t);
  }
}

TEST(SlimFly, of_five_is_the_hoffman_singleton_graph) {
  // Degree 7, girth 5 and 1 + 7 + 7 * 6 = 50 nodes: the one Moore graph of degree 7. No triangle
  // and no square: linked nodes have no common neighbour, others exactly one.
  const Topology t = slimfly(5);
  const auto paths = two_link_paths(t);
  for (NodeId u : t.nodes())
    for (NodeId v : t.nodes()) {
      const int expected = u == v ? 7 : t.find_link(u, v) ? 0 : 1;
      EXPECT_EQ(paths[u.index()][v.index()], expected);
    }
}

TEST(SlimFly, links_groups_of_the_two_halves_evenly) {
  const Topology t = slimfly(8);  // 64 + 64 nodes; group = node / 8
  std::vector<std::vector<int>> links(16, std::vector<int>(16, 0));
  for (LinkId link : t.links()) {
    const auto from = static_cast<std::size_t>(t.tail(link).value() / 8);
    const auto to = static_cast<std::size_t>(t.head(link).value() / 8);
    ++links[from][to];
    EXPECT_EQ(t.class_names()[t.link_class(link)], from == to ? "local" : "global");
  }
  for (std::size_t x = 0; x < 16; ++x)
    for (std::size_t y = 0; y < 16; ++y)  // 4 differences within; one line a node between halves
      EXPECT_EQ(links[x][y], x == y ? 8 * 4 : (x < 8) != (y < 8) ? 8 : 0);
}

TEST(SlimFly, carries_hosts_on_its_switches) {
  const Topology t = make_topology("hosts(4, slimfly:5)");
  EXPECT_EQ(t.switches().size(), 50u);
  EXPECT_EQ(t.hosts().size(), 200u);
  EXPECT_EQ(t.nominal_degree(), 7);
}

TEST(PolarFly, has_the_size_degree_and_diameter_of_its_formulas) {
  for (int q : {2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 25, 27}) {
    const Topology t = polarfly(q);
    EXPECT_EQ(t.node_count(), q * q + q + 1) << t.name();
    EXPECT_EQ(t.nominal_degree(), q + 1) << t.name();
    int quadrics = 0;  // points orthogonal to themselves
    for (NodeId node : t.nodes()) {
      quadrics += t.out_degree(node) == q;
      ASSERT_TRUE(t.out_degree(node) == q || t.out_degree(node) == q + 1) << t.name();
    }
    EXPECT_EQ(quadrics, q + 1) << t.name();
    EXPECT_FALSE(has_loop(t)) << t.name();
    EXPECT_FALSE(has_double_link(t)) << t.name();
    EXPECT_TRUE(has_diameter_two(t)) << t.name();
    expect_sound_reverses(t);
  }
}

TEST(PolarFly, has_no_square) {
  // Two points are orthogonal to one point only.
  for (int q : {3, 4, 8, 9, 11}) {
    const Topology t = polarfly(q);
    const auto paths = two_link_paths(t);
    for (NodeId u : t.nodes())
      for (NodeId v : t.nodes()) EXPECT_LE(u == v ? 0 : paths[u.index()][v.index()], 1) << t.name();
  }
}

TEST(PolarFly, links_orthogonal_points_of_a_prime_field) {
  const int q = 7;
  const Topology t = polarfly(q);
  const auto point = [](int node) -> std::vector<int> {
    if (node == 0) return {0, 0, 1};
    if (node <= q) return {0, 1, node - 1};
    return {1, (node - 1 - q) / q, (node - 1 - q) % q};
  };
  for (NodeId u : t.nodes())
    for (NodeId v : t.nodes()) {
      const auto a = point(u.value()), b = point(v.value());
      const bool orthogonal = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) % q == 0;
      EXPECT_EQ(t.find_link(u, v).has_value(), u != v && orthogonal);
    }
}

}  // namespace
}  // namespace weft::topology
