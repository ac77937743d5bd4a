#include "weft/topology/expansions.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// With self-loops, parallel links, one-way links, cables and irregular degrees.
const std::vector<std::string> kBases{
    "kautz:2,2",  "genkautz:3,10", "debruijn:2,3",   "torus:3x4",
    "ring:2",     "uniring:5",     "bipartite:2,3",  "transpose(genkautz:2,7)",
    "complete:4", "mesh:3x2",      "line(kautz:2,2)"};

TEST(Expansions, sizes_degrees_and_diameters_follow_their_formulas) {
  const struct {
    const char* text;
    int nodes, links, cables, degree, diameter;
  } cases[] = {
      {"line(complete:5)", 20, 80, 80, 4, 2},         // kautz:4,2: N d nodes, one step more
      {"line^2(bipartite:2,2)", 16, 32, 32, 2, 4},    // 4 * 2^2, diameter 2 + 2
      {"degree(3, uniring:4)", 12, 36, 36, 3, 4},     // a copy of itself is a whole round away
      {"degree(2, complete:4)", 8, 48, 24, 6, 2},     // the octahedron-like K_{4x2}
      {"bidirectional(uniring:5)", 5, 10, 5, 2, 2},   // ring:5
      {"bidirectional(kautz:2,2)", 6, 24, 12, 4, 2},  // kautz:2,2's 2-cycles are double cables
      {"bidirectional(ring:5)", 5, 20, 10, 4, 2},     // every cable twice
  };
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text);
    EXPECT_EQ(t.node_count(), c.nodes) << c.text;
    EXPECT_EQ(t.link_count(), c.links) << c.text;
    EXPECT_EQ(t.cable_count(), c.cables) << c.text;
    EXPECT_EQ(t.nominal_degree(), c.degree) << c.text;
    EXPECT_EQ(diameter(t), c.diameter) << c.text;
    EXPECT_EQ(t.name(), c.text);
    expect_sound_reverses(t);
  }
}

TEST(Line, nodes_are_links_and_links_lead_on_in_order) {
  for (const std::string& text : kBases) {
    const BuiltTopology base = build_topology(text);
    const Topology& x = base.topology;
    const Topology line = line_graph(base).topology;
    ASSERT_EQ(line.node_count(), x.link_count()) << text;
    for (LinkId first : x.links()) {
      const NodeId from(first.value());
      ASSERT_EQ(line.out_degree(from), x.out_degree(x.head(first))) << text;
      for (LinkId second : x.out_links(x.head(first))) {
        const LinkId link = line_link(x, line, first, second);
        EXPECT_EQ(line.tail(link), from);
        EXPECT_EQ(line.head(link).value(), second.value());
        EXPECT_FALSE(line.reverse(link));
      }
    }
  }
}

TEST(Line, keeps_parallel_links_and_self_loops_apart) {
  // ring:2 taken both ways: two cables, four arcs, every arc meets the two that lead back.
  const Topology twice = make_topology("line(bidirectional(ring:2))");
  EXPECT_EQ(twice.node_count(), 4);
  EXPECT_EQ(twice.link_count(), 8);
  EXPECT_FALSE(has_double_link(twice));
  // The line graph of a de Bruijn graph is the next one, self-loops and all (here link by link,
  // since link 2u + j of debruijn:2,3 leads to 2u + j mod 8).
  EXPECT_EQ(arcs(make_topology("line(debruijn:2,3)")), arcs(make_topology("debruijn:2,4")));
}

TEST(Line, repeats_by_power) {
  const Topology once = make_topology("line(line(complete:3))");
  EXPECT_EQ(once.name(), "line^2(complete:3)");
  EXPECT_EQ(once.hash(), make_topology("line^2(complete:3)").hash());
}

TEST(Degree, links_every_copy_with_every_copy_at_the_stated_numbers) {
  for (const std::string& text : kBases) {
    const BuiltTopology base = build_topology(text);
    const Topology& x = base.topology;
    if (has_loop(x)) {
      EXPECT_ANY_THROW(degree_expansion(2, base)) << text;
      continue;
    }
    for (int n : {1, 2, 3}) {
      const Topology t = degree_expansion(n, base).topology;
      ASSERT_EQ(t.node_count(), n * x.node_count());
      ASSERT_EQ(t.link_count(), n * n * x.link_count());
      EXPECT_EQ(t.nominal_degree(), n * x.nominal_degree());
      expect_sound_reverses(t);
      for (LinkId link : x.links()) {
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) {
            const LinkId copy = copy_of_link(x, n, link, i, j);
            EXPECT_EQ(t.tail(copy), copy_of_node(x, x.tail(link), i)) << text;
            EXPECT_EQ(t.head(copy), copy_of_node(x, x.head(link), j)) << text;
            const auto reverse = x.reverse(link);
            ASSERT_EQ(t.reverse(copy).has_value(), reverse.has_value());
            if (reverse) {
              EXPECT_EQ(t.reverse(copy), copy_of_link(x, n, *reverse, j, i));
            }
          }
        }
      }
    }
  }
}

TEST(Bidirectional, adds_the_reverse_of_every_link_behind_its_own) {
  for (const std::string& text : kBases) {
    const BuiltTopology base = build_topology(text);
    const Topology& x = base.topology;
    const Topology t = bidirectional(base).topology;
    ASSERT_EQ(t.link_count(), 2 * x.link_count());
    EXPECT_EQ(t.cable_count(), x.link_count());
    expect_sound_reverses(t);
    std::set<LinkId> seen;
    for (LinkId link : x.links()) {
      const LinkId forward = forward_link(x, t, link);
      EXPECT_EQ(t.tail(forward), x.tail(link)) << text;
      EXPECT_EQ(t.head(forward), x.head(link)) << text;
      ASSERT_TRUE(t.reverse(forward)) << text;
      seen.insert({forward, *t.reverse(forward)});
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(t.link_count())) << text;
    for (NodeId v : x.nodes()) {
      std::vector<NodeId> heads, expected;
      for (LinkId link : t.out_links(v)) heads.push_back(t.head(link));
      for (LinkId link : x.out_links(v)) expected.push_back(x.head(link));
      for (LinkId link : x.in_links(v)) expected.push_back(x.tail(link));
      EXPECT_EQ(heads, expected) << text;
    }
  }
}

}  // namespace
}  // namespace weft::topology
