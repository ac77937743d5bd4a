#include <gtest/gtest.h>

#include <map>
#include <set>

#include "topology/families/family_checks.hpp"
#include "weft/topology/families/algebraic/slimfly.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// 2 q^2 p nodes of degree (3 q - delta) / 2 + (p - 1) / 2, q = 4 w + delta; diameter 3. BF(13, 3),
// 234 routers of radix 11, and BF(37, 3), 666 of radix 23, are compared in Young et al., BF(9, 7),
// 882 of radix 15, in Lakhotia et al.
TEST(BundleFly, has_the_counts_and_the_diameter_of_its_paper) {
  const struct {
    int p, q, nodes, degree;
  } cases[] = {{5, 3, 90, 7},    {13, 3, 234, 11}, {5, 4, 160, 8}, {9, 4, 288, 10},
               {37, 3, 666, 23}, {9, 7, 882, 15},  {5, 5, 250, 9}, {17, 3, 306, 13}};
  for (const auto& c : cases) {
    const std::string text = fmt::format("bundlefly:{},{}", c.p, c.q);
    const Topology t = make_topology(text);
    EXPECT_EQ(t.node_count(), c.nodes) << text;
    EXPECT_EQ(t.node_count(), 2 * c.q * c.q * c.p) << text;
    EXPECT_EQ(t.nominal_degree(), c.degree) << text;
    for (const NodeId node : t.nodes()) ASSERT_EQ(t.out_degree(node), c.degree) << text;
    EXPECT_FALSE(has_double_link(t)) << text;
    int diameter = 0;
    for (const NodeId node : t.nodes()) {
      const int farthest = eccentricity(t, node);
      ASSERT_GT(farthest, 0) << text << " is not connected";
      diameter = std::max(diameter, farthest);
    }
    EXPECT_EQ(diameter, 3) << text;
    expect_a_sound_family(text);
  }
}

// Supernodes are Paley graphs, and where two points of slimfly:q are linked, p cables join them,
// one at each node.
TEST(BundleFly, is_a_product_of_its_two_graphs) {
  const int p = 13, q = 3;
  std::set<int> squares;
  for (int a = 1; a < p; ++a) squares.insert(a * a % p);
  const Topology t = make_topology("bundlefly:13,3"), points = slimfly(q);
  std::map<std::pair<int, int>, std::set<int>> bundles;  // by points: the nodes of the first
  int locals = 0;
  for (const LinkId link : t.links()) {
    const int tail = t.tail(link).value(), head = t.head(link).value();
    const bool local = tail / p == head / p;
    EXPECT_EQ(t.class_names()[t.link_class(link)], local ? "local" : "global");
    locals += local ? 1 : 0;
    if (local) {
      EXPECT_TRUE(squares.contains((tail - head + p * p) % p));
    } else {
      EXPECT_TRUE(points.find_link(NodeId(tail / p), NodeId(head / p)));
      bundles[{tail / p, head / p}].insert(tail % p);
    }
  }
  EXPECT_EQ(locals, 2 * q * q * p * (p - 1) / 2);
  EXPECT_EQ(std::ssize(bundles), points.link_count());
  for (const auto& [ends, nodes] : bundles) EXPECT_EQ(std::ssize(nodes), p);
}

TEST(BundleFly, takes_hosts) {
  EXPECT_EQ(make_topology("hosts(2, bundlefly:5,3)").hosts().size(), 180u);
}

}  // namespace
}  // namespace weft::topology
