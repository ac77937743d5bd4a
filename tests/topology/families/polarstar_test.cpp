#include "weft/topology/families/algebraic/polarstar.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// Nodes (q^2 + q + 1) (2 d + 2), all of degree q + 1 + d: in the paper's comparison PolarStar-IQ of
// radix 15 has q = 11 and d = 3, 1064 routers.
TEST(PolarStar, of_inductive_quads_is_regular_with_diameter_three) {
  for (const auto& [q, degree] : std::vector<std::pair<int, int>>{
           {2, 0}, {3, 0}, {2, 3}, {3, 3}, {4, 3}, {3, 4}, {2, 7}, {5, 4}, {3, 8}, {2, 11}}) {
    const Topology t = polarstar_of_inductive_quads(q, degree);
    EXPECT_EQ(t.node_count(), (q * q + q + 1) * (2 * degree + 2)) << t.name();
    EXPECT_EQ(t.nominal_degree(), q + 1 + degree) << t.name();
    for (const NodeId node : t.nodes()) ASSERT_EQ(t.out_degree(node), q + 1 + degree) << t.name();
    EXPECT_FALSE(has_loop(t)) << t.name();
    EXPECT_FALSE(has_double_link(t)) << t.name();
    EXPECT_EQ(diameter(t), 3) << t.name();
    expect_sound_reverses(t);
  }
  EXPECT_EQ(polarstar_of_inductive_quads(11, 3).node_count(), 1064);
  EXPECT_EQ(polarstar_of_inductive_quads(11, 3).nominal_degree(), 15);
}

// Of the q + 1 points orthogonal to themselves a supernode's nodes have one link fewer. In the
// paper's comparison PolarStar-Paley of radix 15 has q = 8 and 13 nodes: 949 routers.
TEST(PolarStar, of_paley_graphs_has_diameter_three) {
  for (const auto& [q, order] : std::vector<std::pair<int, int>>{
           {2, 5}, {3, 5}, {4, 5}, {2, 9}, {3, 9}, {2, 13}, {5, 5}, {2, 25}}) {
    const Topology t = polarstar_of_paley_graphs(q, order);
    const int degree = q + 1 + (order - 1) / 2;
    EXPECT_EQ(t.node_count(), (q * q + q + 1) * order) << t.name();
    EXPECT_EQ(t.nominal_degree(), degree) << t.name();
    std::map<int, int> nodes;  // by degree
    for (const NodeId node : t.nodes()) ++nodes[t.out_degree(node)];
    EXPECT_EQ(nodes, (std::map<int, int>{{degree - 1, (q + 1) * order}, {degree, q * q * order}}))
        << t.name();
    EXPECT_FALSE(has_loop(t)) << t.name();
    EXPECT_FALSE(has_double_link(t)) << t.name();
    EXPECT_EQ(diameter(t), 3) << t.name();
    expect_sound_reverses(t);
  }
  EXPECT_EQ(polarstar_of_paley_graphs(8, 13).node_count(), 949);
  EXPECT_EQ(polarstar_of_paley_graphs(8, 13).nominal_degree(), 15);
}

// The property R* of the paper: of any two nodes of a supernode that f does not pair, they or
// their images are linked.
TEST(PolarStar, joins_nodes_of_an_inductive_quad_or_their_images) {
  for (const int degree : {3, 4, 7, 8, 12, 15}) {
    const Topology t = polarstar_of_inductive_quads(2, degree);
    const int size = 2 * degree + 2;
    for (int a = 0; a < size; ++a)
      for (int b = 0; b < size; ++b) {
        if (a == b || (a ^ 1) == b) continue;
        EXPECT_TRUE(t.find_link(NodeId(a), NodeId(b)) || t.find_link(NodeId(a ^ 1), NodeId(b ^ 1)))
            << degree << ": " << a << ", " << b;
      }
  }
}

// Paley graphs of a prime: linked where the difference is a square; all supernodes are alike.
TEST(PolarStar, has_paley_graphs_as_supernodes) {
  const int order = 13;
  std::set<int> squares;
  for (int a = 1; a < order; ++a) squares.insert(a * a % order);
  const Topology t = polarstar_of_paley_graphs(2, order);
  int locals = 0;
  for (const LinkId link : t.links()) {
    const int tail = t.tail(link).value(), head = t.head(link).value();
    const bool local = tail / order == head / order;
    EXPECT_EQ(t.class_names()[t.link_class(link)], local ? "local" : "global");
    locals += local ? 1 : 0;
    if (local) {
      EXPECT_TRUE(squares.contains((tail - head + 7 * order) % order));
    }
  }
  EXPECT_EQ(locals, 7 * order * 6);
}

TEST(PolarStar, is_named_by_its_supernodes) {
  EXPECT_EQ(make_topology("polarstar:iq=3,q=2").name(), "polarstar:q=2,iq=3");
  EXPECT_EQ(make_topology("hosts(2, polarstar:q=2,paley=5)").hosts().size(), 70u);
}

}  // namespace
}  // namespace weft::topology
