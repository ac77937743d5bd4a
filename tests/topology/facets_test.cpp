#include "weft/topology/facets.hpp"

#include <gtest/gtest.h>

#include <string>

#include "topology/files/file_helpers.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

TEST(Facets, survive_a_file_without_the_expression) {
  for (const char* text : {"torus:4x3",
                           "mesh:3x2",
                           "hyperx:3x2,2,1",
                           "hosts(2, 2dfc:3x4)",
                           "ring:4 * complete:3",
                           "kautz:2,3",
                           "genkautz:3,12",
                           "dragonfly:a=4,p=2,h=2,g=5,arrangement=codes",
                           "dragonfly-plus:l=2,s=2,p=2,h=1,g=3",
                           "slimfly:4",
                           "polarfly:3",
                           "xpander:3,4,seed=7",
                           "xgft:2;4,3;1,2",
                           "fat-tree:2,3",
                           "twisted-torus:4x8",
                           "cayley:Z4xZ2,k=1;(1,0),(0,1)",
                           "without(cable=3, torus:4x4)",
                           "without(node=3, node=9, hosts(1, torus:4x4))",
                           "without(node=40, dragonfly:a=4,p=2,h=2,g=9)",
                           "without(cable=2, fat-tree:2,2)",
                           "planes(2, dragonfly:a=2,p=2,h=2,g=5)",
                           "without(node=9, boxes(9, complete:4, dragonfly:a=3,p=2,h=2,g=6))",
                           "hosts(2, without(node=5, hamming:3x3))"}) {
    const Topology before = make_topology(text), after = through_file(text);
    ASSERT_FALSE(before.facets().facets.empty()) << text;
    EXPECT_EQ(after.name(), "file:net.json");
    EXPECT_EQ(after.hash(), before.hash()) << text;
    EXPECT_EQ(after.facets(), before.facets()) << text;
  }
}

TEST(Facets, of_the_first_version_are_those_of_the_expression) {
  std::string json = format_topology(build_topology("torus:4x4"), TopologyFormat::json);
  json.replace(json.find("\"version\": 2"), 12, "\"version\": 1");
  const std::size_t facets = json.find(",\n\"facets\"");
  json.erase(facets, json.find('\n', facets + 2) - facets);
  const Topology again = parse_topology(json, TopologyFormat::json, "net.json").topology;
  EXPECT_TRUE(as_torus(again));
}

std::string with_facets(const std::string& text, const std::string& facets) {
  std::string json = format_topology(build_topology(text), TopologyFormat::json);
  json.replace(json.rfind("\n}"), 2, ",\n" + facets + "\n}");
  return message(json, TopologyFormat::json);
}

TEST(Facets, that_the_graph_is_not_are_refused) {
  const char* const lies[] = {
      R"("facets": {"dragonfly": {"a": 2, "p": 1, "h": 1, "g": 3, "arrangement": "absolute"}})",
      R"("facets": {"coordinates": {"dimensions": [{"extent": 16, "shape": "ring", "parallel": 1}]}})",
      R"("facets": {"coordinates": {"dimensions": [{"extent": 4, "shape": "path", "parallel": 1},
         {"extent": 4, "shape": "path", "parallel": 1}]}})",
      R"("facets": {"cayley": {"group": "Z17", "elements": []}})",
      R"("facets": {"cayley": {"group": "Z2", "elements": [0, 0]}})",
      R"("facets": {"kautz": {"degree": 2, "diameter": 3}})",
      R"("facets": {"xgft": {"children": [4, 4], "parents": [1, 4]}})",
      R"("facets": {"slimfly": {"q": 5}}, "holes": {"nodes": []})"};
  for (const char* lie : lies) {
    // A random network that is none of these; without facets of its own to stand twice.
    const std::string told = with_facets("random-regular:16,4,seed=3", lie);
    EXPECT_NE(told.find("a facet contradicts the graph; correct the facet or remove it"),
              std::string::npos)
        << lie << "\n"
        << told;
  }
}

// Groups nest: each of a level is made of whole ones of the level before.
TEST(Facets, groups_that_do_not_nest_are_refused) {
  const auto said = [](const std::string& levels) {
    return with_facets("random-regular:16,4,seed=3",
                       R"("facets": {"groups": {"hosts": 4, "levels": )" + levels + "}}");
  };
  for (const char* lie : {"[4, 6]", "[8, 4]", "[4, 4]", "[2, 8]", "[0, 4]", "[4, 64]"})
    EXPECT_NE(said(lie).find("a facet contradicts the graph; correct the facet or remove it"),
              std::string::npos)
        << lie;
  EXPECT_EQ(said("[2, 4, 8]"), "(accepted)");
  EXPECT_NE(said("[4, 8.5]").find("needs integers"), std::string::npos);
}

// Of a network of 4 switches, nodes 0 to 3, with 16 hosts.
TEST(Facets, groups_of_switches_hold_no_hosts_and_no_node_twice) {
  const auto said = [](const std::string& fields) {
    return with_facets("hosts(4, random-regular:4,3,seed=3)",
                       R"("facets": {"switch-groups": {)" + fields + "}}");
  };
  for (const char* right : {R"("switches": 2, "groups": 2, "first": [0])",
                            R"("switches": 1, "groups": 2, "first": [0, 2])"})
    EXPECT_EQ(said(right), "(accepted)");
  for (const char* lie : {R"("switches": 2, "groups": 3, "first": [0])",
                          R"("switches": 0, "groups": 2, "first": [0])",
                          R"("switches": 1, "groups": 2, "first": [0, 1])",
                          R"("switches": 1, "groups": 2, "first": [])",
                          R"("switches": 1, "groups": 2, "first": [2, 0])",
                          R"("switches": 2000000000, "groups": 2000000000, "first": [0])"})
    EXPECT_NE(said(lie).find("a facet contradicts the graph; correct the facet or remove it"),
              std::string::npos)
        << lie;
}

TEST(Facets, that_cannot_be_read_are_named) {
  const struct {
    const char *facets, *expected;
  } cases[] = {
      {R"("facets": [])", "'facets' is not an object"},
      {R"("facets": {"kautz": 3})", "facet 'kautz' is not an object"},
      {R"("facets": {"kautz": {"degree": 2}})", "'diameter' is missing"},
      {R"("facets": {"kautz": {"degree": -2, "diameter": 2}})", "'degree' needs integers from 0"},
      {R"("facets": {"kautz": {"degree": 1, "diameter": 2}})", "degree 1 is too small"},
      {R"("facets": {"coordinates": {"dimensions": [{"extent": 4, "shape": "line", "parallel": 1}]}})",
       ": 'shape' is not one of complete, ring, path"},
      {R"("facets": {"xgft": {"children": [1000000, 1000000], "parents": [1, 1]}})", "too large"},
      {R"("facets": {"slimfly": {"q": 3}}, "holes": {"nodes": [5, 2]})",
       "nodes of 'holes' are not in ascending order"},
  };
  for (const auto& c : cases) {
    const std::string told = with_facets("random-regular:16,4,seed=3", c.facets);
    EXPECT_NE(told.find(c.expected), std::string::npos) << c.facets << "\n" << told;
  }
}

// Cables count by the first of their links: 0 and 1 join switch 0 with 1 and 3, 2 its host, node 4.
TEST(Facets, stay_where_a_host_lost_its_cable) {
  const std::string text = "without(cable=0, cable=2, hosts(1, ring:4))";
  for (const Topology& topology : {make_topology(text), through_file(text)}) {
    EXPECT_EQ(topology.node_count(), 8);
    EXPECT_EQ(topology.cable_count(), 4 + 4 - 2);
    EXPECT_FALSE(topology.find_link(NodeId(0), NodeId(1)));
    EXPECT_TRUE(topology.find_link(NodeId(0), NodeId(3)));
    EXPECT_TRUE(topology.out_links(NodeId(4)).empty());
    EXPECT_EQ(topology.facets().holes, Holes());
    EXPECT_FALSE(as_torus(topology));
    EXPECT_EQ(as_torus(topology, Damage::allowed)->extents, std::vector<int>{4});
    EXPECT_FALSE(as_cayley(topology));
    EXPECT_FALSE(as_attached_hosts(topology));
  }
}

TEST(Facets, holes_number_what_is_left) {
  const Holes holes({2, 3, 7});  // left: 0 1 4 5 6 8 9
  const std::int32_t left[] = {0, 1, 4, 5, 6, 8, 9};
  for (std::int32_t now = 0; now < 7; ++now) {
    EXPECT_EQ(holes.whole(now), left[now]);
    EXPECT_EQ(holes.now(left[now]), now);
  }
  EXPECT_FALSE(holes.now(3));
  const std::int32_t more[] = {2, 6};  // 4 and 9 of the whole
  EXPECT_EQ(holes.with(more), Holes({2, 3, 4, 7, 9}));
}

TEST(Facets, functions_keep_map_or_drop_them) {
  const auto kept = [](const char* text) { return make_topology(text).facets(); };
  EXPECT_EQ(kept("hosts(3, torus:4x4)"), kept("torus:4x4"));
  EXPECT_EQ(kept("idle(1, dragonfly:a=2,p=1,h=1)"), kept("dragonfly:a=2,p=1,h=1"));
  EXPECT_EQ(*kept("ring:5 * hyperx:3,2").find<Coordinates>(),
            (Coordinates{{{5, LineShape::ring, 1}, {3, LineShape::complete, 2}}}));
  const Facets damaged = kept("without(node=1, without(node=1, node=6, torus:4x4))");
  ASSERT_TRUE(damaged.holes);
  EXPECT_EQ(*damaged.holes, Holes({1, 2, 6}));
  EXPECT_EQ(damaged.facets, kept("torus:4x4").facets);
  // One way of a Cayley graph has its group; no other facet speaks of links that are turned round.
  for (const char* text : {"transpose(torus:4x4)", "bidirectional(torus:4x4)"}) {
    ASSERT_EQ(kept(text).facets.size(), 1U) << text;
    EXPECT_TRUE(kept(text).find<CayleyGroup>()) << text;
  }
  for (const char* text : {"line(kautz:2,2)", "degree(2, complete:3)", "transpose(kautz:2,2)",
                           "splice(cable=0, ring:5)", "exchange(0, 3, kautz:2,2)"})
    EXPECT_TRUE(kept(text).facets.empty()) << text;
}

}  // namespace
}  // namespace weft::topology
