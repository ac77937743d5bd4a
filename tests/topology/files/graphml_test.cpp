// GraphML of other programs. The inputs in tests/data/cases are small copies of what the Topology
// Zoo writes, with the values that they must have.
#include "weft/topology/import/graphml.hpp"

#include <gtest/gtest.h>

#include "support/fabrics.hpp"
#include "topology/files/file_helpers.hpp"
#include "weft/base/file.hpp"

namespace weft::topology {
namespace {

using test::cables_of;

FabricBuilder::Built read(const std::string& text, const ImportOptions& options = {}) {
  return read_graphml(text, "f", options);
}

std::string all_notes(const std::vector<ImportNote>& notes) {
  std::string text;
  for (const ImportNote& note : notes) text += note.text + "\n";
  return text;
}

std::string refusal(const std::string& text, const ImportOptions& options = {}) {
  try {
    read(text, options);
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(accepted)";
}

std::string case_file(const std::string& name) {
  return read_file(test::source_dir() + "/tests/data/cases/" + name);
}

// LinkSpeedRaw is in bits a second.
TEST(GraphmlOfOthers, reads_the_topology_zoos_speeds_and_labels) {
  const auto built = read(case_file("graphml-zoo-speeds.graphml"));
  const Topology& topology = built.network.topology;
  EXPECT_EQ(cables_of(topology),
            (std::multiset<std::string>{"North-South", "East-South", "East-North"}));
  const NodeNames names(topology);
  const auto Bps = [&](const char* from, const char* to) {
    return built.network.speeds
        .bandwidth_Bps[*topology.find_link(*names.find(from), *names.find(to))];
  };
  EXPECT_EQ(Bps("North", "South"), 1'250'000'000);
  EXPECT_EQ(Bps("South", "East"), 125'000'000);
  EXPECT_EQ(Bps("East", "North"), 125'000'000);
  EXPECT_EQ(all_notes(built.notes),
            "not read: attribute 'LinkLabel' (3 times, first on line 10)\n");
}

TEST(GraphmlOfOthers, leaves_out_an_edge_from_a_node_to_itself) {
  const auto built = read(case_file("graphml-self-loop.graphml"));
  EXPECT_EQ(built.network.topology.cable_count(), 2);
  EXPECT_NE(all_notes(built.notes).find("cable from East to itself (line 12)"), std::string::npos)
      << all_notes(built.notes);
  EXPECT_NE(refusal(case_file("graphml-self-loop.graphml"), {.strict = true}).find("--strict"),
            std::string::npos);
}

std::string graph(const std::string& keys, const std::string& content,
                  const std::string& edges = "undirected") {
  return "<graphml>" + keys + "<graph edgedefault='" + edges + "'>" + content +
         "</graph></graphml>";
}
const std::string kLabel = "<key id='l' for='node' attr.name='label'/>";
std::string node(const std::string& id, const std::string& label) {
  return "<node id='" + id + "'><data key='l'>" + label + "</data></node>";
}

// 0 and 2 are both called X; 1 is called 2, so that 2's id does not serve.
TEST(GraphmlOfOthers, a_label_that_several_have_gives_way_to_the_id) {
  const auto built = read(graph(kLabel, node("0", "X") + node("1", "2") + node("2", "X") +
                                            "<edge source='0' target='1'/>"
                                            "<edge source='1' target='2'/>"));
  EXPECT_EQ(cables_of(built.network.topology), (std::multiset<std::string>{"0-2", "2-node-2"}));
  EXPECT_NE(all_notes(built.notes).find("renamed, because several devices have the name"),
            std::string::npos);
}

TEST(GraphmlOfOthers, keeps_ports_defaults_and_namespaces) {
  const auto built = read(
      "<n:graphml xmlns:n='http://graphml.graphdrawing.org/xmlns'>"
      "<n:key id='c' for='edge' attr.name='capacity'><n:default>10 Gbps</n:default></n:key>"
      "<n:graph edgedefault='undirected'><n:node id='a'/><n:node id='b'/>"
      "<n:edge source='a' target='b' sourceport='p1' targetport='p2'/></n:graph></n:graphml>");
  const Topology& topology = built.network.topology;
  EXPECT_EQ(port_of(topology, LinkId(0)), "p1");
  EXPECT_EQ(built.network.speeds.bandwidth_Bps[LinkId(0)], 1'250'000'000);
}

TEST(GraphmlOfOthers, reads_yeds_labels) {
  const auto built = read(graph(
      "<key id='d' for='node' yfiles.type='nodegraphics'/>",
      "<node id='n0'><data key='d'><y:ShapeNode><y:NodeLabel>Hub</y:NodeLabel></y:ShapeNode></data>"
      "</node><node id='n1'/><edge source='n0' target='n1'/>"));
  EXPECT_EQ(cables_of(built.network.topology), (std::multiset<std::string>{"Hub-n1"}));
}

TEST(GraphmlOfOthers, hosts_and_switches_by_type_where_every_node_has_it) {
  const std::string keys = kLabel + "<key id='t' for='node' attr.name='type'/>";
  const auto typed = [](const std::string& id, const std::string& type) {
    return "<node id='" + id + "'><data key='t'>" + type + "</data></node>";
  };
  const std::string edge = "<edge source='a' target='b'/>";
  EXPECT_EQ(read(graph(keys, typed("a", "server") + typed("b", "Switch") + edge))
                .network.topology.switches()
                .size(),
            1u);
  const auto built = read(graph(keys, typed("a", "server") + typed("b", "PoP") + edge));
  EXPECT_EQ(built.network.topology.hosts().size(), 2u);
  EXPECT_NE(all_notes(built.notes).find("attribute 'type'"), std::string::npos);
}

TEST(GraphmlOfOthers, one_way_edges_with_their_opposites_are_cables) {
  const std::string nodes = "<node id='a'/><node id='b'/><node id='c'/>";
  const auto edge = [](const std::string& from, const std::string& to) {
    return "<edge source='" + from + "' target='" + to + "'/>";
  };
  const auto both = read(graph(
      "", nodes + edge("a", "b") + edge("b", "a") + edge("b", "c") + edge("c", "b"), "directed"));
  EXPECT_EQ(cables_of(both.network.topology), (std::multiset<std::string>{"a-b", "b-c"}));
  const auto ring =
      read(graph("", nodes + edge("a", "b") + edge("b", "c") + edge("c", "a"), "directed"));
  EXPECT_EQ(cables_of(ring.network.topology), (std::multiset<std::string>{"a>b", "b>c", "c>a"}));
  // Drawn with arrows that lead nowhere back.
  const std::string tree = graph("", nodes + edge("a", "b") + edge("a", "c"), "directed");
  EXPECT_EQ(cables_of(read(tree).network.topology), (std::multiset<std::string>{"a-b", "a-c"}));
  EXPECT_NE(all_notes(read(tree).notes)
                .find("the graph is directed and no edge has an opposite; each edge is"),
            std::string::npos);
  EXPECT_NE(refusal(tree, {.strict = true})
                .find("some one-way edges have no opposite; make the graph undirected,"),
            std::string::npos);
}

TEST(GraphmlOfOthers, several_graphs_are_named_and_one_is_taken) {
  const std::string one =
      "<graph id='east'><node id='a'/><node id='b'/>"
      "<edge source='a' target='b'/></graph>";
  const std::string other =
      "<graph id='west'><node id='c'/><node id='d'/>"
      "<edge source='c' target='d'/></graph>";
  const std::string text = "<graphml>" + one + other + "</graphml>";
  EXPECT_EQ(refusal(text), "f has 2 graphs (east, west); choose one with --part east");
  EXPECT_EQ(cables_of(read(text, {.part = "west"}).network.topology),
            (std::multiset<std::string>{"c-d"}));
  EXPECT_EQ(cables_of(read(text, {.part = "1"}).network.topology),
            (std::multiset<std::string>{"a-b"}));
}

// Each element would have them all.
TEST(GraphmlOfOthers, refuses_more_defaults_than_anybody_has) {
  std::string text = "<graphml>";
  for (int i = 0; i < 20'000; ++i)
    text += fmt::format(
        "<key id=\"d{0}\" for=\"all\" attr.name=\"a{0}\"><default>1</default></key>", i);
  text += "<graph edgedefault=\"undirected\">";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("<node id=\"{}\"/>", i);
  try {
    read_graphml(text + "</graph></graphml>", "f.graphml", {});
    FAIL();
  } catch (const InvalidInput& why) {
    EXPECT_STREQ(
        why.what(),
        "f.graphml: 20000 keys have a default value (at most 100); write the values into the "
        "elements");
  }
}

TEST(GraphmlOfOthers, refuses_nested_graphs) {
  EXPECT_NE(refusal(graph("", "<node id='a'><graph><node id='b'/></graph></node>"))
                .find("hyperedges and nested graphs are not supported; flatten the"),
            std::string::npos);
}

// A device without a cable, and two parts: weft's own files keep all.
TEST(Graphml, keeps_all_of_wefts_own_files) {
  const std::string text = format_topology(build_topology("without(link=3, node=0, torus:3x3)"),
                                           TopologyFormat::graphml);
  const auto built = read(text);
  EXPECT_TRUE(built.notes.empty());
  std::string lone = text;
  lone.insert(lone.find("<edge"), "<node id=\"9\"><data key=\"kind\">host</data></node>\n");
  EXPECT_EQ(read(lone).network.topology.node_count(), built.network.topology.node_count() + 1);
}

}  // namespace
}  // namespace weft::topology
