#include "weft/topology/families/algebraic/cayley.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "topology/structure.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

TEST(Cayley, equals_known_graphs_link_by_link) {
  const struct {
    const char *cayley, *known;
  } cases[] = {
      {"cayley:Z4xZ4;(1,0),(-1,0),(0,1),(0,-1)", "torus:4x4"},
      {"cayley:Z16;3,-3,4,-4", "circulant:16,3,4"},
      {"cayley:Z2^3;(1,0,0),(0,1,0),(0,0,1)", "hypercube:3"},
      {"cayley:Z6;1", "uniring:6"},
      {"cayley:Z5;1,2,3,4", "complete:5"},
      {"cayley:Z3xZ4;(1,0),(2,0),(0,1),(0,2),(0,3)", "hamming:3x4"},
  };
  for (const auto& c : cases) {
    const Topology cayley = make_topology(c.cayley), known = make_topology(c.known);
    ASSERT_EQ(cayley.link_count(), known.link_count()) << c.cayley;
    EXPECT_EQ(cayley.nominal_degree(), known.nominal_degree());
    for (const LinkId link : cayley.links()) {
      EXPECT_EQ(cayley.tail(link), known.tail(link));
      EXPECT_EQ(cayley.head(link), known.head(link));
      EXPECT_EQ(cayley.reverse(link), known.reverse(link));
    }
  }
}

// Table of the searched graphs: 64 nodes, T_L = 4 means a diameter of 4.
TEST(Cayley, the_graph_of_64_nodes_has_diameter_four_and_no_cables) {
  const Topology t = make_topology("cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)");
  EXPECT_EQ(t.name(), "cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)");
  EXPECT_EQ(t.node_count(), 64);
  EXPECT_EQ(t.nominal_degree(), 4);
  EXPECT_EQ(diameter(t), 4);
  EXPECT_EQ(t.cable_count(), t.link_count());
}

TEST(Cayley, left_multiplications_are_automorphisms_that_keep_the_order_of_links) {
  for (const char* text :
       {"cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)",
        "cayley:Z3^2xZ8,A=[[0,1],[1,1]];(1,0,1),(0,0,3)",
        "cayley:Perm[(0 1 2 3),(0 1)];(0 1 2 3),(0 1)", "cayley:D5xZ2;(1,0,1),(0,1,0),(-1,0,1)"}) {
    const Topology t = make_topology(text);
    const std::string name = t.expression().parameters;
    const Group group = Group::parse(name.substr(0, name.find(';')));
    for (Group::Element g = 0; g < group.order(); ++g)
      for (const LinkId link : t.links()) {
        const NodeId moved(group.multiply(g, t.tail(link).value()));
        const std::int32_t k = link.value() - t.out_links(t.tail(link))[0].value();
        ASSERT_EQ(t.head(t.out_links(moved)[k]).value(), group.multiply(g, t.head(link).value()))
            << text;
      }
  }
}

TEST(Cayley, closed_generators_make_cables) {
  for (const char* text : {"cayley:D6;(1,0),(-1,0),(0,1)", "cayley:AGL(1,7);(1,1),(2,5),(0,3)",
                           "cayley:Z8;1,1,-1,-1,4", "cayley:Z8;-1,4,1,4",
                           "cayley:Perm[(0 1 2),(0 1)];(0 1 2),(0 2 1),(0 1),(0 1)"}) {
    const Topology t = make_topology(text);
    expect_sound_reverses(t);
    EXPECT_EQ(2 * t.cable_count(), t.link_count()) << text;
  }
}

TEST(Cayley, one_way_when_not_closed_counting_copies) {
  for (const char* text : {"cayley:Z8;1,1,-1", "cayley:Z8;1,4", "cayley:Z16;3,4"}) {
    const Topology t = make_topology(text);
    EXPECT_EQ(t.cable_count(), t.link_count()) << text;
  }
}

TEST(Cayley, the_identity_is_a_self_loop_and_copies_are_parallel_links) {
  const Topology t = make_topology("cayley:Z6;0,1,1,-1,-1");
  EXPECT_EQ(t.nominal_degree(), 5);
  EXPECT_EQ(t.cable_count(), 6 + 2 * 6);  // loops stand alone
  for (const NodeId node : t.nodes()) {
    const auto links = t.out_links(node);
    EXPECT_EQ(t.head(links[0]), node);
    EXPECT_FALSE(t.reverse(links[0]));
    EXPECT_EQ(t.head(links[1]), t.head(links[2]));
    EXPECT_NE(t.reverse(links[1]), t.reverse(links[2]));
  }
}

TEST(Cayley, is_a_factor_and_an_operand_like_any_family) {
  EXPECT_EQ(make_topology("cayley:D3;(1,0),(0,1) * ring:4").node_count(), 24);
  EXPECT_EQ(make_topology("transpose(cayley:Perm[(0 1 2),(0 1)];(0 1 2),(0 1))").name(),
            "transpose(cayley:Perm[(0 1 2),(0 1)];(0 1 2),(0 1))");
  EXPECT_EQ(make_topology("power(2, cayley:Z4xZ2,k=3;(1,1),(0,1))").node_count(), 64);
}

TEST(Cayley, bad_parameters_say_what_would_be_right) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"cayley:Z16", "'Z16' has no generators (expected cayley:GROUP;s1,s2,...)"},
      {"cayley:Z16;", "has no generators"},
      {"cayley:Z4xZ4;(2,0),(0,1)",
       "the generators (2,0),(0,1) do not generate Z4^2 (they reach 8 of its 16 elements)"},
      {"cayley:Z16;1,x", "'x' is not a component of an element"},
      {"cayley:Z16xZ4,k=3;1,3", "'1' is not an element of Z16xZ4,k=3; for example (15,3)"},
      {"cayley:Z16xZ4,k=2;(1,1)", "2^4 modulo 16 is 0, not 1"},
      {"cayley:Z2000000000;1,2,3", "is too large"},
  };
  for (const auto& c : cases) {
    try {
      make_topology(c.text);
      ADD_FAILURE() << c.text << " was accepted";
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(c.expected), std::string::npos)
          << c.text << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace weft::topology
