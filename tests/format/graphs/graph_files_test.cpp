// GML, node-link JSON, SNDlib and REPETITA: what their writers leave in the files.
#include "graph_tests.hpp"

namespace weft::format {
namespace {

TEST(Gml, reads_nodes_edges_names_and_speeds) {
  const std::string text =
      "Creator \"someone\"\nVersion 1\ngraph [\n  label \"Bay\"\n  directed 0\n"
      "  node [ id 3 label \"Oslo &amp; Moss\" graphics [ x 1.0 y [ z 2 ] ] ]\n"
      "  node [\n    id 7\n    label \"Skien\"\n  ]\n"
      "  edge [ source 3 target 7 LinkSpeed \"10\" LinkSpeedUnits \"G\" ]\n]\n";
  const ImportedFabric fabric = import("gml", text);
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"Oslo & Moss-Skien"}));
  EXPECT_EQ(GBps(fabric, "Skien", "Oslo & Moss"), 1.25);
  EXPECT_EQ(notes_of(fabric), "not read: attribute 'graphics' (line 6)\n");
}

// \xe9 is an e with an acute accent in Latin-1.
TEST(Gml, reads_latin_1_and_references) {
  const std::string text =
      "graph [ node [ id 0 label \"Gen\xe9ve\" ] node [ id 1 label \"&#201;\" ]"
      " edge [ source 0 target 1 ] ]";
  EXPECT_EQ(cables_of(import("gml", text).network.topology), (Cables{"Gen\u00e9ve-\u00c9"}));
}

TEST(Gml, keeps_parallel_edges_and_directions) {
  const std::string nodes = "node [ id 0 ] node [ id 1 ] node [ id 2 ]";
  const auto edge = [](const std::string& a, const std::string& b) {
    return " edge [ source " + a + " target " + b + " ]";
  };
  EXPECT_EQ(cables_of(import("gml", "graph [ " + nodes + edge("0", "1") + edge("1", "0") +
                                        edge("1", "2") + " ]")
                          .network.topology),
            (Cables{"0-1", "0-1", "1-2"}));
  EXPECT_EQ(cables_of(import("gml", "graph [ directed 1 " + nodes + edge("0", "1") +
                                        edge("1", "2") + edge("2", "0") + " ]")
                          .network.topology),
            (Cables{"0>1", "1>2", "2>0"}));
}

TEST(Gml, names_what_is_wrong) {
  EXPECT_EQ(refusal_of("gml", "graph [\n node [ id 0 ]\n"),
            "f:3: the file ends within a list; close it with ]");
  EXPECT_EQ(refusal_of("gml", "graph [ node [ id 0 ]\n node [ id 0 ] ]"),
            "f:2: node id '0' is repeated, first on line 1");
  EXPECT_EQ(refusal_of("gml", "graph [ node [ id 0 ]\n edge [ source 0 target 4 ] ]"),
            "f:2: target 4 is not a node of the graph");
  EXPECT_EQ(refusal_of("gml", "graph [\n label \"x ]"),
            "f:2: a text that starts here is not closed; close it with \"");
  EXPECT_NE(refusal_of("gml", "graph [ node [ id 0 ] ]").find("no cable"), std::string::npos);
}

TEST(Gml, a_graph_in_parts_is_refused_by_name) {
  const std::string text =
      "graph [ node [ id 0 label \"a\" ] node [ id 1 label \"b\" ]"
      " node [ id 2 label \"c\" ] node [ id 3 label \"d\" ]"
      " edge [ source 0 target 1 ] edge [ source 2 target 3 ] ]";
  EXPECT_NE(refusal_of("gml", text).find("--part"), std::string::npos) << refusal_of("gml", text);
}

TEST(NodeLinkJson, reads_both_names_of_the_list_of_links) {
  for (const char* key : {"links", "edges"}) {
    const std::string text = std::string(R"({"directed": false, "multigraph": false, "graph": {},
      "nodes": [{"id": "a"}, {"id": "b"}, {"id": 3}], ")") +
                             key + R"(": [{"source": "a", "target": "b", "bandwidth": "10 Gbps"},
      {"source": "b", "target": 3, "weight": 2.5}]})";
    const ImportedFabric fabric = import("node-link-json", text);
    EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"3-b", "a-b"}));
    EXPECT_EQ(GBps(fabric, "a", "b"), 1.25);
    EXPECT_NE(notes_of(fabric).find("attribute 'weight', whose numbers have no unit"),
              std::string::npos)
        << notes_of(fabric);
  }
}

TEST(NodeLinkJson, reads_directed_graphs_and_multigraphs) {
  const auto graph = [](const std::string& kind, const std::string& links) {
    return R"({"directed": )" + kind +
           R"(, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": [)" + links + "]}";
  };
  const std::string ring = R"({"source": 0, "target": 1}, {"source": 1, "target": 2},
                              {"source": 2, "target": 0})";
  EXPECT_EQ(cables_of(import("node-link-json", graph("true", ring)).network.topology),
            (Cables{"0>1", "1>2", "2>0"}));
  const std::string twice = R"({"source": 0, "target": 1, "key": 0},
    {"source": 0, "target": 1, "key": 1}, {"source": 1, "target": 2, "key": 0})";
  EXPECT_EQ(cables_of(import("node-link-json", graph("false", twice)).network.topology),
            (Cables{"0-1", "0-1", "1-2"}));
}

// D3's files name ends by their places; NetworkX's others have lists of neighbours.
TEST(NodeLinkJson, reads_places_adjacency_and_cytoscape) {
  EXPECT_EQ(cables_of(import("node-link-json", R"({"nodes": [{"name": "x"}, {"name": "y"}],
                                                  "links": [{"source": 0, "target": 1}]})")
                          .network.topology),
            (Cables{"x-y"}));
  EXPECT_EQ(cables_of(import("node-link-json", R"({"directed": false, "nodes": [{"id": "x"},
      {"id": "y"}], "adjacency": [[{"id": "y"}], [{"id": "x"}]]})")
                          .network.topology),
            (Cables{"x-y"}));
  EXPECT_EQ(cables_of(import("node-link-json", R"({"elements": {"nodes": [{"data": {"id": "x"}},
      {"data": {"id": "y"}}], "edges": [{"data": {"source": "x", "target": "y"}}]}})")
                          .network.topology),
            (Cables{"x-y"}));
}

TEST(NodeLinkJson, units_of_the_whole_graph_hold_for_its_numbers) {
  const ImportedFabric fabric =
      import("node-link-json", R"({"graph": {"capacity_unit": "Mbps", "delay_unit": "ms"},
      "nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b", "capacity": 8000,
      "delay": 2}]})");
  EXPECT_EQ(GBps(fabric, "a", "b"), 1.0);
  EXPECT_EQ(fabric.network.speeds.latency_ps[LinkId(0)], 2'000'000'000);
}

TEST(NodeLinkJson, names_what_is_wrong) {
  EXPECT_EQ(refusal_of("node-link-json", R"({"nodes": [{"id": 1}], "links": [{"source": 1}]})"),
            "f: links[0] has no 'target'");
  EXPECT_EQ(refusal_of("node-link-json",
                       R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]})"),
            "f: links[0]: target 2 is not a node of the file");
  EXPECT_NE(refusal_of("node-link-json", "{\"nodes\": [").find("f:1: the file is not JSON"),
            std::string::npos);
  EXPECT_NE(refusal_of("node-link-json", std::string(100'000, '[')).find("deeper than"),
            std::string::npos);
}

const std::string kNative =
    "?SNDlib native format; type: network; version: 1.0\n# a network\n"
    "META (\n  unit = MBITPERSEC\n)\n"
    "NODES (\n  Bergen ( 5.32 60.39 )\n  Moss ( 10.66 59.43 )\n  Oslo ( 10.75 59.91 )\n)\n"
    "LINKS (\n  L1 ( Bergen Oslo ) 800.00 0.00 0.00 1.00 ( 40.00 4640.00 160.00 9000.00 )\n"
    "  L2 ( Moss Oslo ) 0.00 0.00 0.00 0.00 ( 40.00 4640.00 )\n)\n"
    "DEMANDS (\n  D1 ( Bergen Moss ) 1 12.00 UNLIMITED\n)\n";

TEST(Sndlib, reads_the_native_form) {
  const ImportedFabric fabric = import("sndlib", kNative);
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"Bergen-Oslo", "Moss-Oslo"}));
  EXPECT_EQ(GBps(fabric, "Bergen", "Oslo"), 0.1);
  EXPECT_EQ(GBps(fabric, "Moss", "Oslo"), 0);
  EXPECT_NE(notes_of(fabric).find("the links have possible modules but no installed capacity; the"),
            std::string::npos);
}

TEST(Sndlib, reads_xml_and_both_directions_as_cables) {
  const auto link = [](const std::string& a, const std::string& b) {
    return "<link id=\"" + a + b + "\"><source>" + a + "</source><target>" + b +
           "</target><preInstalledModule><capacity>64.0</capacity><cost>1</cost>"
           "</preInstalledModule></link>";
  };
  const std::string text =
      "<?xml version=\"1.0\"?><network xmlns=\"http://sndlib.zib.de/network\" version=\"1.0\">"
      "<networkStructure><nodes><node id=\"A\"/><node id=\"B\"/><node id=\"C\"/></nodes><links>" +
      link("A", "B") + link("B", "A") + link("B", "C") + link("C", "B") +
      "</links></networkStructure><demands/></network>";
  const ImportedFabric fabric = import("sndlib", text);
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"A-B", "B-C"}));
  EXPECT_NE(notes_of(fabric).find("'capacity' has no unit"), std::string::npos);
}

TEST(Sndlib, names_what_is_wrong) {
  EXPECT_EQ(refusal_of("sndlib", kNative.substr(0, kNative.find("L2"))),
            "f:12: the file ends within a section");
  std::string text = kNative;
  text.replace(text.find("Moss Oslo"), 4, "Voss");
  EXPECT_EQ(refusal_of("sndlib", text), "f:13: Voss is not a node of the file");
}

const std::string kRepetita =
    "NODES 3\nlabel x y\n0_Oslo 10.7 59.9\n1_Moss 10.6 59.4\n2_New York 1 2\n\nEDGES 4\n"
    "label src dest weight bw delay\nedge_0 0 1 10 9953280 250\nedge_1 1 0 10 9953280 250\n"
    "edge_2 1 2 10 10000000 9\nedge_3 2 1 10 10000000 9\n";

// 9,953,280 kbit/s is an OC-192.
// Where each link looks through all of its pair, this takes minutes.
TEST(Sndlib, reads_many_links_between_two_nodes) {
  std::string text =
      "?SNDlib native format; type: network; version: 1.0\nNODES (\n A ( 1 2 )\n"
      " B ( 3 4 )\n)\nLINKS (\n";
  for (int i = 0; i < 40'000; ++i)
    text += fmt::format(" L{0} ( A B ) 1 0 0 0 ( )\n R{0} ( B A ) 1 0 0 0 ( )\n", i);
  const ImportedFabric fabric = import("sndlib", text + ")\n");
  EXPECT_EQ(fabric.network.topology.cable_count(), 40'000);
}

double us(const ImportedFabric& fabric, const char* from, const char* to) {
  const Topology& topology = fabric.network.topology;
  const topology::NodeNames names(topology);
  const LinkId link = topology.find_link(*names.find(from), *names.find(to)).value();
  return static_cast<double>(fabric.network.speeds.latency_ps[link].value_or(0)) / 1e6;
}

TEST(Repetita, reads_kilobits_and_pairs_directions) {
  const ImportedFabric fabric = import("repetita", kRepetita);
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"0_Oslo-1_Moss", "1_Moss-2_New York"}));
  EXPECT_EQ(GBps(fabric, "0_Oslo", "1_Moss"), 1.24416);
  // 250 and 9 microseconds.
  EXPECT_EQ(us(fabric, "0_Oslo", "1_Moss"), 250);
  EXPECT_EQ(us(fabric, "1_Moss", "2_New York"), 9);
  EXPECT_NE(notes_of(fabric).find("delays are read as microseconds"), std::string::npos);
  EXPECT_EQ(refusal_of("repetita", kRepetita.substr(0, kRepetita.find("edge_3"))),
            "f:7: 4 edges are announced, but the file has 3");
}

// One of each kind is taken for what it is.
TEST(GraphFiles, are_recognised) {
  const std::pair<const char*, std::string> cases[] = {
      {"gml", "# made by hand\ngraph [ node [ id 0 ] ]"},
      {"node-link-json", R"({"nodes": [], "links": []})"},
      {"sndlib", kNative},
      {"repetita", kRepetita},
      {"graphml", "<?xml version='1.0'?><graphml><graph/></graphml>"}};
  for (const auto& [name, text] : cases) EXPECT_EQ(recognise(text, "f").name, name);
}

// Marks of nodes that were seen must not wrap around.
TEST(NodeLink, takes_256_parallel_links_of_a_directed_circle) {
  std::string links;
  for (int i = 0; i < 256; ++i)
    for (const char* ends : {"0, \"target\": 1", "1, \"target\": 2", "2, \"target\": 0"})
      links += fmt::format("{}{{\"source\": {}}}", links.empty() ? "" : ",", ends);
  const auto fabric = import("node-link-json",
                             "{\"directed\": true, \"multigraph\": true, \"nodes\": [{\"id\": 0}, "
                             "{\"id\": 1}, {\"id\": 2}], \"links\": [" +
                                 links + "]}");
  EXPECT_EQ(fabric.network.topology.link_count(), 3 * 256);
}

}  // namespace
}  // namespace weft::format
