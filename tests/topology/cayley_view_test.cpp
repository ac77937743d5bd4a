#include "weft/topology/cayley_view.hpp"

#include <gtest/gtest.h>

#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

const char* const kCayley[] = {
    "cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)",
    "cayley:Z3^2xZ8,A=[[0,1],[1,1]];(1,0,1),(0,0,3)",
    "cayley:Z6;0,1,1,-1",
    "cayley:Perm[(0 1 2 3),(0 1)];(0 1 2 3),(0 1)",
    "ring:2",
    "ring:7",
    "uniring:5",
    "uniring:2,8",
    "biring:4,6",
    "shifted-ring:12",
    "complete:5",
    "circulant:16,3,8",
    "directed-circulant:4",
    "bipartite:1,1",
    "bipartite:4,4",
    "torus:4x3x2",
    "twisted-torus:4x8",
    "twisted-torus:6x3",
    "twisted-torus:2x2x4",
    "twisted-torus:6x3x6",
    "hypercube:4",
    "hamming:3x4",
    "2dfc:4x4",
    "ring:4 * complete:3",
    "power(2, cayley:D3;(1,0),(0,1))",
    "twisted-torus:2x4 * uniring:3",
    "uniring:3 * twisted-torus:2x4 * bipartite:2,2",
    "transpose(cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3))",
    "bidirectional(cayley:AGL(1,7);(1,1),(2,3))",
    "transpose(uniring:2,8)",
    "hosts(2, torus:4x4)",
    "hosts(2, bidirectional(uniring:2,5))",
};

// The definition, link by link: node x leads to x * s, every link once, and left multiplications
// move links to links.
TEST(CayleyView, links_are_products_with_generators) {
  for (const char* text : kCayley) {
    const Topology t = make_topology(text);
    const auto view = as_cayley(t);
    ASSERT_TRUE(view) << text;
    const Group& group = view->group();
    std::int32_t links = 0;
    for (const NodeId node : ids<NodeId>(group.order())) {
      ASSERT_EQ(view->node(view->element(node)), node) << text;
      for (std::int32_t k = 0; k < view->degree(); ++k, ++links) {
        const LinkId link = view->link(node, k);
        ASSERT_EQ(t.tail(link), node) << text;
        ASSERT_EQ(view->generator(link), k) << text;
        ASSERT_EQ(view->element(t.head(link)),
                  group.multiply(view->element(node), view->generators()[k]))
            << text;
      }
    }
    EXPECT_EQ(links, t.link_count() - (t.has_switches() ? 2 * group.order() * 2 : 0)) << text;
    for (Group::Element g = 0; g < group.order(); ++g)
      for (const NodeId node : ids<NodeId>(group.order()))
        for (std::int32_t k = 0; k < view->degree(); ++k) {
          const LinkId link = view->link(node, k), image = view->translate(g, link);
          ASSERT_EQ(t.tail(image), view->translate(g, node)) << text;
          ASSERT_EQ(t.head(image), view->translate(g, t.head(link))) << text;
        }
  }
}

TEST(CayleyView, generators_are_the_elements_named) {
  const auto view = as_cayley(make_topology("cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)"));
  EXPECT_EQ(view->generators(), view->group().elements("(1,3),(1,0),(6,1),(3,3)"));
  EXPECT_TRUE(view->nodes_are_elements());
  const auto twisted = as_cayley(make_topology("twisted-torus:4x8"));
  EXPECT_EQ(twisted->group().text(), "Z4xZ8");
  // e_x = (1, 1): along the short dimension the long coordinate counts along.
  EXPECT_EQ(twisted->generators(), twisted->group().elements("(1,1),(-1,-1),(0,1),(0,-1)"));
}

TEST(CayleyView, is_absent_from_other_networks) {
  for (const char* text : {"kautz:2,3", "mesh:4x4", "bipartite:3,4", "diamond",
                           "without(link=0, torus:4x4)", "kautz:2,2 * ring:3"})
    EXPECT_FALSE(as_cayley(make_topology(text))) << text;
}

}  // namespace
}  // namespace weft::topology
