#include "weft/topology/files.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

std::string message(std::string_view content, TopologyFormat format) {
  try {
    parse_topology(content, format, "net");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "(accepted)";
}

void expect_same(const BuiltTopology& one, const BuiltTopology& other) {
  const Topology& a = one.topology;
  const Topology& b = other.topology;
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(a.nominal_degree(), b.nominal_degree());
  EXPECT_TRUE(std::ranges::equal(a.class_names(), b.class_names()));
  ASSERT_EQ(a.link_count(), b.link_count());
  for (LinkId link : a.links()) EXPECT_EQ(a.cable(link), b.cable(link));
  EXPECT_EQ(one.speeds.bandwidth_Bps, other.speeds.bandwidth_Bps);
  EXPECT_EQ(one.speeds.latency_ps, other.speeds.latency_ps);
}

// Arcs as text with kinds, classes and whether each has a reverse; link order apart.
std::vector<std::string> structure(const Topology& topology) {
  std::vector<std::string> rows;
  for (LinkId link : topology.links())
    rows.push_back(
        fmt::format("{} {} {} {} {}", topology.tail(link).value(), topology.head(link).value(),
                    topology.class_names()[topology.link_class(link).index()],
                    topology.reverse(link).has_value(), topology.is_host(topology.tail(link))));
  std::sort(rows.begin(), rows.end());
  return rows;
}

const char* const kNetworks[] = {"torus:4x3x2",
                                 "kautz:2,3",
                                 "debruijn:2,3",
                                 "hosts(2, random-regular:12,3,seed=5)",
                                 "dragonfly:a=4,p=2,h=2,g=5",
                                 "xgft:2;4,3;1,2",
                                 "without(link=3, node=0, torus:3x3)",
                                 "ring:3 * uniring:4",
                                 "file:" WEFT_SOURCE_DIR "/examples/dgx1.edges"};

TEST(Json, round_trips_exactly) {
  for (const char* text : kNetworks) {
    const BuiltTopology built = build_topology(text);
    const std::string json = format_topology(built, TopologyFormat::json);
    const BuiltTopology again = parse_topology(json, TopologyFormat::json, "net.json");
    expect_same(built, again);
  }
}

TEST(Json, keeps_the_expression_that_builds_the_graph) {
  const BuiltTopology built = build_topology("hosts(2, torus:4x4)");
  const std::string json = format_topology(built, TopologyFormat::json);
  const Topology again = parse_topology(json, TopologyFormat::json, "net.json").topology;
  EXPECT_EQ(again.name(), "hosts(2, torus:4x4)");
  EXPECT_TRUE(as_torus(again));
}

TEST(Json, drops_an_expression_that_builds_another_graph) {
  std::string json =
      format_topology(build_topology("without(cable=0, torus:4x4)"), TopologyFormat::json);
  for (const char* lie : {"torus:4x4", "kautz:100,4", "nonsense:1", "file:/dev/zero.json", ")("}) {
    std::string edited = json;
    edited.replace(edited.find("without(cable=0, torus:4x4)"),
                   std::string_view("without(cable=0, torus:4x4)").size(), lie);
    const Topology again = parse_topology(edited, TopologyFormat::json, "net.json").topology;
    EXPECT_EQ(again.name(), "file:net.json") << lie;
    EXPECT_FALSE(as_torus(again));
  }
}

TEST(Json, every_truncation_is_refused) {
  const std::string json =
      format_topology(build_topology("hosts(1, ring:3)"), TopologyFormat::json);
  for (std::size_t size = 0; size + 2 < json.size(); ++size)
    EXPECT_NE(message(json.substr(0, size), TopologyFormat::json), "(accepted)") << size;
}

TEST(Json, an_edited_graph_does_not_fit_its_hash) {
  std::string json = format_topology(build_topology("uniring:5"), TopologyFormat::json);
  json.replace(json.find("[3,4,0]"), 7, "[3,1,0]");
  EXPECT_NE(message(json, TopologyFormat::json).find("does not fit the graph"), std::string::npos);
}

TEST(Json, bad_input_is_named) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"[]", "is no weft topology"},
      {R"({"format":"weft-topology","version":2})", "version 2 is unknown"},
      {R"({"format":"weft-topology","version":1,"nodes":2})", "\"links\" is missing"},
      {R"({"format":"weft-topology","version":1,"links":[]})", "\"nodes\" is missing"},
      {R"({"format":"weft-topology","version":1,"nodes":2000000000,"links":[]})",
       "\"nodes\" is 2000000000 (needs an integer from 1 to 1000)"},
      {R"({"format":"weft-topology","version":1,"nodes":1e3,"links":[]})", "\"nodes\" is 1000.0"},
      {R"({"format":"weft-topology","version":1,"nodes":18446744073709551615,"links":[]})",
       "\"nodes\" is 18446744073709551615"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,2]]})", "link 0's head is 2"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[-1,0]]})",
       "link 0's tail is -1"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,"1"]]})",
       "link 0's head is \"1\""},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0]]})", "link 0 is [0]"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1,1]]})",
       "link 0's class is 1"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1,0,1],[0,1,0,0]]})",
       "link 0 names link 1 as its reverse"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"bandwidth_Bps":[0]})",
       "bandwidth_Bps of link 0 is 0"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"latency_ps":[]})",
       "\"latency_ps\" has 0 entries for 1 links"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"switches":[7]})",
       "a switch is 7"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"classes":["a","a"]})",
       "class \"a\" is given twice"},
  };
  for (const auto& c : cases)
    EXPECT_NE(message(c.text, TopologyFormat::json).find(c.expected), std::string::npos)
        << c.text << "\n"
        << message(c.text, TopologyFormat::json);
}

TEST(EdgeList, reads_the_dgx1_with_its_unequal_links) {
  const BuiltTopology built = read_topology(WEFT_SOURCE_DIR "/examples/dgx1.edges");
  // 8 GPUs with 4 NVLink neighbours each, two of them over two links: 6 x 25 GB/s.
  EXPECT_EQ(built.topology.node_count(), 8);
  EXPECT_EQ(built.topology.cable_count(), 16);
  for (NodeId node : built.topology.nodes()) {
    EXPECT_EQ(built.topology.out_degree(node), 4);
    std::int64_t egress = 0;
    for (LinkId link : built.topology.out_links(node))
      egress += built.speeds.bandwidth_Bps[link.index()].value();
    EXPECT_EQ(egress, 150'000'000'000);
  }
}

TEST(EdgeList, reads_comments_blanks_and_columns) {
  const BuiltTopology built =
      parse_topology("# a\r\n\n 0\t1 10Gbps 2us # fast\n1 2\n", TopologyFormat::edges, "net.edges");
  EXPECT_EQ(built.topology.cable_count(), 2);
  const LinkId back = *built.topology.find_link(NodeId(1), NodeId(0));
  EXPECT_EQ(built.speeds.bandwidth_Bps[back.index()], 1'250'000'000);
  EXPECT_EQ(built.speeds.latency_ps[back.index()], 2'000'000);
  EXPECT_FALSE(built.speeds.bandwidth_Bps[built.topology.find_link(NodeId(1), NodeId(2))->index()]);
}

TEST(EdgeList, arcs_are_one_way_even_when_both_are_there) {
  const Topology topology =
      parse_topology("0 1\n1 0\n0 0\n0 1\n", TopologyFormat::arcs, "net.arcs").topology;
  EXPECT_EQ(topology.link_count(), 4);
  EXPECT_EQ(topology.cable_count(), 4);
}

TEST(EdgeList, bad_lines_are_named) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"", "net has no links"},
      {"# nothing\n", "net has no links"},
      {"0 1\n1\n", "net:2: 1 columns"},
      {"0 1 1Gbps 1us 3\n", "net:1: 5 columns"},
      {"0 1\n\n1 x\n", "net:3: \"x\" is not a node number"},
      {"0 1.5\n", "net:1: \"1.5\" is not a node number"},
      {"0 -1\n", "net:1: node -1 is negative"},
      {"0 99999999999\n", "net:1: node 99999999999 is out of range"},
      {"0 1\n0 2000000000\n", "net:2: node 2000000000 is too large for 2 lines"},
      {"1 2\n2 3\n", "node 0 is on no line"},
      {"0 1\n1 0\n", "net:2: 1 0 stands on line 1 already"},
      {"0 1\n1 1\n", "net:2: node 1 is linked to itself"},
      {"0 1 100\n", "net:1: "},
      {"0 1 1Gbps 5\n", "net:1: "},
      {"0 1 0Gbps\n", "net:1: "},
  };
  for (const auto& c : cases)
    EXPECT_NE(message(c.text, TopologyFormat::edges).find(c.expected), std::string::npos)
        << c.text << "\n"
        << message(c.text, TopologyFormat::edges);
}

TEST(EdgeList, round_trips_structure_and_speeds) {
  const BuiltTopology dgx1 = read_topology(WEFT_SOURCE_DIR "/examples/dgx1.edges");
  const BuiltTopology again = parse_topology(format_topology(dgx1, TopologyFormat::edges),
                                             TopologyFormat::edges, "net.edges");
  EXPECT_EQ(structure(dgx1.topology), structure(again.topology));
  for (LinkId link : dgx1.topology.links()) {
    const auto twin = again.topology.find_link(dgx1.topology.tail(link), dgx1.topology.head(link));
    EXPECT_EQ(dgx1.speeds.bandwidth_Bps[link.index()], again.speeds.bandwidth_Bps[twin->index()]);
  }
  const BuiltTopology kautz = build_topology("kautz:3,3");
  expect_same(kautz, parse_topology(format_topology(kautz, TopologyFormat::arcs),
                                    TopologyFormat::arcs, "net.arcs"));
}

TEST(EdgeList, refuses_what_it_cannot_hold) {
  EXPECT_THROW(format_topology(build_topology("kautz:2,2"), TopologyFormat::edges), InvalidInput);
  EXPECT_THROW(format_topology(build_topology("hosts(1, ring:3)"), TopologyFormat::edges),
               InvalidInput);
}

TEST(Graphml, round_trips_structure_and_speeds) {
  for (const char* text : kNetworks) {
    const BuiltTopology built = build_topology(text);
    const BuiltTopology again = parse_topology(format_topology(built, TopologyFormat::graphml),
                                               TopologyFormat::graphml, "net.graphml");
    EXPECT_EQ(structure(built.topology), structure(again.topology)) << text;
    EXPECT_EQ(built.speeds.bandwidth_Bps.size(), again.speeds.bandwidth_Bps.size());
  }
}

TEST(Graphml, reads_foreign_ids_and_the_default_direction) {
  const char* text =
      "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
      "<edge source=\"b\" target=\"a\"/><edge source=\"a\" target=\"b\" directed=\"true\"/>"
      "</graph></graphml>";
  const Topology topology = parse_topology(text, TopologyFormat::graphml, "net.graphml").topology;
  EXPECT_EQ(topology.link_count(), 3);
  EXPECT_EQ(topology.cable_count(), 2);
}

TEST(Graphml, bad_input_is_named) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"", "not XML"},
      {"<graphml>\n<graph>", "net:2: not XML"},
      {"<svg/>", "no <graph>"},
      {"<graphml><graph/></graphml>", "has no nodes"},
      {"<graphml><graph><node id='1'/><node id='1'/></graph></graphml>", "given twice"},
      {"<graphml><graph><node id='1'/><edge source='1' target='2'/></graph></graphml>",
       "target \"2\" is no node"},
      {"<graphml><graph><node id='1'/><edge source='1' target='1'/></graph></graphml>",
       "cabled to itself"},
      {"<graphml><graph><node id='1'/><hyperedge/></graph></graphml>", "hyperedges"},
      {"<graphml><key id='k' attr.name='kind'/><graph><node id='1'><data key='k'>gpu</data></node>"
       "</graph></graphml>",
       "kind \"gpu\""},
      {"<graphml><key id='b' attr.name='bandwidth_Bps'/><graph edgedefault='directed'>"
       "<node id='1'/><edge source='1' target='1'><data key='b'>-5</data></edge></graph></graphml>",
       "bandwidth -5"},
  };
  for (const auto& c : cases)
    EXPECT_NE(message(c.text, TopologyFormat::graphml).find(c.expected), std::string::npos)
        << c.text << "\n"
        << message(c.text, TopologyFormat::graphml);
}

TEST(Dot, draws_cables_without_arrows_and_links_with) {
  const std::string text =
      format_topology(build_topology("hosts(1, uniring:2)"), TopologyFormat::dot);
  EXPECT_NE(text.find("0 -> 1 [class=\"link\"]"), std::string::npos) << text;
  EXPECT_NE(text.find("0 -> 2 [dir=none, class=\"terminal\"]"), std::string::npos) << text;
  EXPECT_THROW(parse_topology(text, TopologyFormat::dot, "net.dot"), InvalidInput);
}

TEST(Files, format_follows_the_extension) {
  EXPECT_EQ(format_of("a.b/net.EDGES"), TopologyFormat::edges);
  EXPECT_EQ(format_of("net.gv"), TopologyFormat::dot);
  for (const char* path : {"net", "a.json/net", "net.txt", "", "."})
    EXPECT_THROW(format_of(path), InvalidInput) << path;
}

TEST(Files, odd_names_are_quoted_and_read_back) {
  const std::string path = testing::TempDir() + "odd \"na\\me*(1).edges";
  write_topology(build_topology("ring:4"), path);
  const Expression name = file_expression(path);
  EXPECT_EQ(parse_expression(name.to_string()), name);
  const Topology read = make_topology("hosts(2, " + name.to_string() + " * ring:3)");
  EXPECT_EQ(read.switches().size(), 12u);
  EXPECT_EQ(make_topology(read.name()).hash(), read.hash());
  std::remove(path.c_str());
}

TEST(Files, speeds_follow_their_links_through_functions) {
  const std::string name = "file:" WEFT_SOURCE_DIR "/examples/dgx1.edges";
  const BuiltTopology plain = build_topology(name);
  for (const char* text : {"hosts(1, {})", "without(cable=2, {})", "transpose({})"}) {
    const BuiltTopology built = build_topology(fmt::format(fmt::runtime(text), name));
    for (LinkId link : built.topology.links()) {
      const auto twin = plain.topology.find_link(NodeId(built.topology.tail(link).value() % 8),
                                                 built.topology.head(link));
      const bool terminal =
          built.topology.tail(link).value() >= 8 || built.topology.head(link).value() >= 8;
      EXPECT_EQ(built.speeds.bandwidth_Bps[link.index()],
                terminal ? std::nullopt : plain.speeds.bandwidth_Bps[twin->index()]);
    }
  }
}

TEST(Files, a_missing_file_is_named) {
  try {
    make_topology("file:no/such.edges");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("no/such.edges"), std::string::npos);
  }
}

}  // namespace
}  // namespace weft::topology
