#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/graphs.hpp"
#include "topology/structure.hpp"
#include "weft/topology/families/kautz.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

TEST(Families, sizes_degrees_and_diameters_follow_their_formulas) {
  const struct {
    const char* text;
    int nodes, links, cables, degree, diameter;
  } cases[] = {
      {"kautz:2,1", 3, 6, 6, 2, 1},          // d^k + d^(k-1) nodes; k = 1 is complete
      {"kautz:2,3", 12, 24, 24, 2, 3},       //
      {"kautz:3,2", 12, 36, 36, 3, 2},       //
      {"kautz:4,2", 20, 80, 80, 4, 2},       //
      {"genkautz:4,20", 20, 80, 80, 4, 2},   // the same as kautz:4,2
      {"debruijn:2,4", 16, 32, 32, 2, 4},    // d^n
      {"debruijn:3,2", 9, 27, 27, 3, 2},     //
      {"2dfc:4x3", 12, 60, 30, 5, 2},        // degree m1 + m2 - 2
      {"hamming:3x4x2", 24, 144, 72, 6, 3},  // degree 2 + 3 + 1
      {"torus:4x4", 16, 64, 32, 4, 4},       // 2 + 2
      {"torus:3x3x2", 18, 90, 45, 5, 3},     // the extent of 2 is one cable
      {"torus:2x2", 4, 8, 4, 2, 2},          //
      {"torus:5", 5, 10, 5, 2, 2},           //
      {"mesh:4x3", 12, 34, 17, 4, 5},        // cables 3*3 + 4*2; largest degree 4
      {"mesh:2x2x2", 8, 24, 12, 3, 3},       //
      {"hypercube:1", 2, 2, 1, 1, 1},        //
      {"hypercube:5", 32, 160, 80, 5, 5},    //
      {"ring:2", 2, 2, 1, 1, 1},             //
      {"ring:9", 9, 18, 9, 2, 4},            //
      {"uniring:6", 6, 6, 6, 1, 5},          //
      {"uniring:2", 2, 2, 2, 1, 1},          //
      {"complete:5", 5, 20, 10, 4, 1},       //
      {"bipartite:4,3", 7, 24, 12, 4, 2},    //
      {"circulant:16,3,4", 16, 64, 32, 4, 3},
      {"circulant:6,3,1", 6, 18, 9, 3, 2},  // the jump n/2 is one cable
      {"ring:4 * complete:3", 12, 48, 24, 4, 3},
      {"power(2, kautz:2,2)", 36, 144, 144, 4, 4},  // degrees and diameters add
  };
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text);
    EXPECT_EQ(t.node_count(), c.nodes) << c.text;
    EXPECT_EQ(t.link_count(), c.links) << c.text;
    EXPECT_EQ(t.cable_count(), c.cables) << c.text;
    EXPECT_EQ(t.nominal_degree(), c.degree) << c.text;
    EXPECT_EQ(diameter(t), c.diameter) << c.text;
    EXPECT_FALSE(has_double_link(t)) << c.text;
    EXPECT_EQ(t.name(), c.text);
    EXPECT_FALSE(t.has_switches());
    expect_sound_reverses(t);
  }
}

TEST(Families, structures_equal_naive_ones) {
  EXPECT_EQ(arcs(make_topology("torus:4x3x5")), arcs(support::torus_of({4, 3, 5})));
  EXPECT_EQ(arcs(make_topology("ring:7")), arcs(support::cycle(7)));
  EXPECT_EQ(arcs(make_topology("uniring:7")), arcs(support::one_way_cycle(7)));
  EXPECT_EQ(arcs(make_topology("complete:6")), arcs(support::complete_graph(6)));
  EXPECT_EQ(arcs(make_topology("hypercube:4")), arcs(support::binary_cube(4)));
  EXPECT_EQ(arcs(make_topology("ring:4 * ring:3 * ring:5")), arcs(make_topology("torus:4x3x5")));
  EXPECT_EQ(arcs(make_topology("power(2, ring:5)")), arcs(make_topology("torus:5x5")));
  EXPECT_EQ(arcs(make_topology("2dfc:4x3")), arcs(make_topology("hamming:4x3")));
}

TEST(Families, products_of_rings_are_the_torus_link_by_link) {
  const Topology product = make_topology("ring:4 * ring:2 * ring:3");
  const Topology torus = make_topology("torus:4x2x3");
  EXPECT_EQ(product.hash(), torus.hash());
  EXPECT_TRUE(std::ranges::equal(product.class_names(), torus.class_names()));
}

// A vertex-symmetric family lets a translation map the k-th link to the k-th link.
TEST(Families, translations_keep_the_order_of_links) {
  const struct {
    const char* text;
    std::vector<int> extents;
  } cases[] = {{"torus:4x2x3", {4, 2, 3}}, {"hamming:3x4", {3, 4}},    {"ring:6", {6}},
               {"circulant:8,4,1,3", {8}}, {"hypercube:3", {2, 2, 2}}, {"complete:5", {5}}};
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text);
    const Extents space{c.extents};
    for (NodeId u : t.nodes()) {
      for (int k = 0; k < t.out_degree(u); ++k) {
        auto image = space.coordinates(t.head(t.out_links(NodeId(0))[k]).value());
        const auto shift = space.coordinates(u.value());
        for (std::size_t d = 0; d < image.size(); ++d)
          image[d] = (image[d] + shift[d]) % space.extents[d];
        EXPECT_EQ(t.head(t.out_links(u)[k]).value(), space.node(image)) << c.text;
        EXPECT_EQ(t.link_class(t.out_links(u)[k]), t.link_class(t.out_links(NodeId(0))[k]));
      }
    }
  }
}

TEST(Families, dimensions_are_link_classes) {
  const Topology t = make_topology("torus:3x3x3x3");
  EXPECT_EQ(std::vector<std::string>(t.class_names().begin(), t.class_names().end()),
            (std::vector<std::string>{"x", "y", "z", "d4"}));
  const Topology m = make_topology("mesh:3x2");
  EXPECT_EQ(m.class_names()[m.link_class(*m.find_link(NodeId(0), NodeId(1)))], "x");
  EXPECT_EQ(m.class_names()[m.link_class(*m.find_link(NodeId(0), NodeId(3)))], "y");
}

TEST(Kautz, has_the_distances_of_the_word_labelled_digraph) {
  for (const auto& [d, k] : {std::pair{2, 1}, {2, 2}, {2, 4}, {3, 3}, {4, 2}}) {
    const Topology ours = kautz(d, k);
    const Topology words = support::kautz_of_words(d, k);
    EXPECT_FALSE(has_loop(ours));
    auto rows = support::naive_distances(ours), expected = support::naive_distances(words);
    for (auto* all : {&rows, &expected}) {
      for (auto& row : *all) std::sort(row.begin(), row.end());
      std::sort(all->begin(), all->end());
    }
    EXPECT_EQ(rows, expected);
    for (NodeId node : ours.nodes()) EXPECT_EQ(ours.in_degree(node), d);
  }
}

TEST(Kautz, generalised_digraphs_reach_all_within_the_logarithm) {
  for (int d = 2; d <= 4; ++d) {
    for (int n = d + 1; n <= 40; ++n) {
      const Topology t = generalized_kautz(d, n);
      EXPECT_FALSE(has_double_link(t));
      int power = 1, logarithm = 0;
      while (power < n) power *= d, ++logarithm;
      EXPECT_LE(diameter(t), logarithm) << t.name();
      for (NodeId node : t.nodes()) EXPECT_EQ(t.in_degree(node), d) << t.name();
    }
  }
}

TEST(Debruijn, keeps_its_self_loops) {
  const Topology t = make_topology("debruijn:3,2");
  int loops = 0;
  for (LinkId link : t.links()) loops += t.tail(link) == t.head(link);
  EXPECT_EQ(loops, 3);  // the words 00, 11, 22
}

}  // namespace
}  // namespace weft::topology
