// weft topology and weft list: what they say, in text and JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;

json topology(const std::string& expression) {
  const auto ran = run_weft({"topology", expression, "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  return json::parse(ran.out);
}

// K(16, 2): 16^2 + 16 nodes, degree 16, diameter 2. 16 nodes are one step away and 255 two:
// (16 + 2 * 255) / 271.
TEST(TopologyCommand, answers_kautz_by_the_contract) {
  const json answer = topology("kautz:16,2");
  EXPECT_EQ(answer["name"], "kautz:16,2");
  EXPECT_EQ(answer["nodes"], 272);
  EXPECT_EQ(answer["hosts"], 272);
  EXPECT_EQ(answer["switches"], 0);
  EXPECT_EQ(answer["links"], 272 * 16);
  EXPECT_EQ(answer["degree"], 16);
  EXPECT_EQ(answer["diameter"], 2);
  EXPECT_EQ(answer["average_distance"], "526/271");
  EXPECT_EQ(answer["bidirectional"], false);
  EXPECT_EQ(answer["vertex_transitive"], true);
  EXPECT_EQ(answer["moore_diameter"], 2);
  EXPECT_EQ(answer["pairs_at_distance"], (json{0, 272 * 16, 272 * 255}));
}

// Two-dimensional: (m - 1) neighbours each way at distance 1, (m - 1)^2 at 2.
TEST(TopologyCommand, counts_cables_of_hamming_networks_by_class) {
  const json answer = topology("2dfc:8x8");
  EXPECT_EQ(answer["cables"], 64 * 14 / 2);
  EXPECT_EQ(answer["links"], 64 * 14);
  EXPECT_EQ(answer["degree"], 14);
  EXPECT_EQ(answer["diameter"], 2);
  EXPECT_EQ(answer["average_distance"], "16/9");  // (14 + 2 * 49) / 63
  EXPECT_EQ(answer["bidirectional"], true);
  EXPECT_EQ(answer["links_by_class"], (json{{"x", 448}, {"y", 448}}));
}

// Degree and distances are those between switches; the hosts hang on terminal links.
TEST(TopologyCommand, measures_switched_networks_between_switches) {
  const json answer = topology("hosts(4, ring:8)");
  EXPECT_EQ(answer["nodes"], 40);
  EXPECT_EQ(answer["hosts"], 32);
  EXPECT_EQ(answer["switches"], 8);
  EXPECT_EQ(answer["links"], 16 + 64);
  EXPECT_EQ(answer["degree"], 2);
  EXPECT_EQ(answer["diameter"], 4);
  EXPECT_EQ(answer["average_distance"], "16/7");  // 2 (1 + 2 + 3) + 4 over 7
}

// Between hosts the two terminal links come on top: of the 31 others 3 on the same switch at 2, 4
// on each other switch.
TEST(TopologyCommand, measures_switched_networks_between_hosts_too) {
  const json answer = topology("hosts(4, ring:8)");
  EXPECT_EQ(answer["host_diameter"], 6);
  EXPECT_EQ(answer["host_average_distance"], "126/31");  // (3 * 2 + 4 * (16 + 7 * 2)) / 31
  const auto text = run_weft({"topology", "hosts(4, ring:8)"});
  for (const char* line : {"\ndiameter of switches ", "\naverage distance of switches ",
                           "\ndiameter of hosts ", "\naverage distance of hosts "})
    EXPECT_NE(text.out.find(line), std::string::npos) << text.out;
  EXPECT_TRUE(topology("ring:8")["host_diameter"].is_null());
  const json cut = topology("without(cable=8~0, hosts(4, ring:8))");
  EXPECT_EQ(cut["diameter"], 4);
  EXPECT_TRUE(cut["host_diameter"].is_null());  // node 8, a host, reaches nobody
}

TEST(TopologyCommand, shows_the_example_of_a_random_cluster) {
  const auto ran = run_weft({"topology", "hosts(4, random-regular:64,8,seed=7)"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("320 (256 hosts, 64 switches)"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("degree of switches"), std::string::npos);
}

TEST(TopologyCommand, says_what_a_cut_network_is_like) {
  const json answer = topology("without(cable=0, cable=2, ring:4)");
  EXPECT_EQ(answer["connected"], false);
  EXPECT_TRUE(answer["diameter"].is_null());
  EXPECT_TRUE(answer["average_distance"].is_null());
  const auto text = run_weft({"topology", "without(cable=0, cable=2, ring:4)"});
  EXPECT_NE(text.out.find("no: some nodes do not reach others"), std::string::npos);
}

TEST(TopologyCommand, writes_files_that_read_back_as_the_same_network) {
  const ScratchFolder folder;
  for (const std::string name : {"net.json", "net.graphml", "net.arcs"}) {
    const auto ran = run_weft({"topology", "torus:3x3", "-o", folder.path(name)});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json answer = topology("file:" + folder.path(name));
    EXPECT_EQ(answer["nodes"], 9);
    EXPECT_EQ(answer["links"], 36);
    EXPECT_EQ(answer["diameter"], 2);
  }
  EXPECT_EQ(topology("file:" + folder.path("net.json"))["name"], "torus:3x3");
  EXPECT_EQ(run_weft({"topology", "torus:3x3", "-o", folder.path("net.dot"), "-q"}).err, "");
  EXPECT_EQ(folder.files(),
            (std::vector<std::string>{"net.arcs", "net.dot", "net.graphml", "net.json"}));
}

TEST(TopologyCommand, writes_its_json_file_to_standard_output) {
  const ScratchFolder folder;
  ASSERT_EQ(run_weft({"topology", "torus:3x3", "-o", folder.path("net.json")}).code, 0);
  const auto ran = run_weft({"topology", "torus:3x3", "-o", "-"});
  EXPECT_EQ(ran.out, read_text(folder.path("net.json")));
}

TEST(TopologyCommand, reads_the_unequal_links_of_the_dgx1) {
  const json answer = topology("file:" + weft::test::source_dir() + "/examples/dgx1.edges");
  EXPECT_EQ(answer["nodes"], 8);
  EXPECT_EQ(answer["cables"], 16);
  EXPECT_EQ(answer["diameter"], 2);
}

TEST(TopologyCommand, measures_as_little_as_asked) {
  const auto ran = run_weft({"topology", "torus:3x3", "--measure", "cheap", "--json"});
  const json answer = json::parse(ran.out);
  EXPECT_TRUE(answer["diameter"].is_null());
  EXPECT_TRUE(answer["bisection"].is_null());
  EXPECT_EQ(answer["nodes"], 9);
}

TEST(TopologyCommand, prints_a_path_of_bytes_that_are_no_text) {
  const ScratchFolder folder;
  const std::string path = folder.file("\xff.edges", "0 1\n");
  const auto ran = run_weft({"topology", "file:\"" + path + "\"", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["nodes"], 2);
}

TEST(ListCommand, lists_the_names_of_a_library) {
  const auto ran = run_weft({"list", "libraries", "MPICH", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json rows = json::parse(ran.out)["libraries"];
  ASSERT_FALSE(rows.empty());
  for (const json& row : rows) EXPECT_EQ(row["library"], "mpich");
  EXPECT_NE(run_weft({"list", "libraries", "mpi"}).err.find("unknown entry 'mpi' in libraries"),
            std::string::npos);
}

TEST(ListCommand, lists_every_kind_with_unique_names) {
  for (const std::string kind : {"topologies", "networks", "algorithms", "collectives", "models",
                                 "routings", "workloads", "devices"}) {
    const auto ran = run_weft({"list", kind, "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    EXPECT_EQ(answer["command"], "list");
    ASSERT_FALSE(answer[kind].empty()) << kind;
    std::set<std::string> names;
    for (const json& row : answer[kind]) EXPECT_TRUE(names.insert(row["name"]).second) << row;
    const auto text = run_weft({"list", kind});
    for (const std::string& name : names) EXPECT_NE(text.out.find(name), std::string::npos);
  }
}

// Parameters as torchvision.models prints them; peaks as the data sheet does.
TEST(ListCommand, says_what_a_workload_and_a_device_are) {
  const json model = json::parse(run_weft({"list", "workloads", "ResNet-50", "--json"}).out);
  ASSERT_EQ(model["workloads"].size(), 1);
  EXPECT_EQ(model["workloads"][0]["parameters"], "25557032");
  EXPECT_EQ(model["workloads"][0]["layers"], "54");  // 53 convolutions and the classifier
  EXPECT_EQ(model["workloads"][0]["sample"], "image");
  const json device = json::parse(run_weft({"list", "devices", "v100", "--json"}).out);
  ASSERT_EQ(device["devices"].size(), 1);
  EXPECT_EQ(device["devices"][0]["peaks"], "fp16 125T, fp32 15.7T");
  const auto full = run_weft({"list", "devices", "h100"});
  EXPECT_NE(full.out.find("note"), std::string::npos) << full.out;
  const auto table = run_weft({"list", "devices"});
  EXPECT_EQ(table.out.find("note"), std::string::npos) << table.out;
  const auto unknown = run_weft({"list", "workloads", "resnet-51"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean resnet-50"), std::string::npos) << unknown.err;
}

// The table of examples is the one that the parser reads.
TEST(ListCommand, lists_topologies_whose_examples_are_accepted) {
  const json answer = json::parse(run_weft({"list", "topologies", "--json"}).out);
  for (const json& row : answer["topologies"]) {
    const std::string example = row["example"];
    if (example.find("file:") != std::string::npos) continue;  // of the user's
    const auto ran = run_weft({"topology", example, "--measure", "cheap"});
    EXPECT_EQ(ran.code, 0) << example << ": " << ran.err;
  }
}

// A triangle of 0, 1, 2: cables 0-1, 0-2, 1-2; ports by the order of each node's links.
TEST(TopologyCommand, lists_cables_with_their_ports_and_numbers) {
  const ScratchFolder folder;
  const std::string file = folder.path("cables.csv");
  ASSERT_EQ(run_weft({"topology", "ring:3", "-o", file, "--quiet"}).code, 0);
  EXPECT_EQ(read_text(file),
            "node_a,port_a,node_b,port_b,class,cable,link_ab,link_ba\n"
            "0,0,1,1,link,0,0,3\n"
            "0,1,2,0,link,1,1,4\n"
            "1,0,2,1,link,2,2,5\n");
  // One-way links: the far ends have the ports behind those out.
  ASSERT_EQ(run_weft({"topology", "uniring:3", "-o", file, "--link", "8Gbps,2us"}).code, 0);
  EXPECT_EQ(read_text(file),
            "node_a,port_a,node_b,port_b,class,cable,link_ab,link_ba,bandwidth_Bps,latency_ps\n"
            "0,0,1,1,link,0,0,,1000000000,2000000\n"
            "1,0,2,1,link,1,1,,1000000000,2000000\n"
            "2,0,0,1,link,2,2,,1000000000,2000000\n");
}

// Four switches, two a rack, in one row: within a rack 1 m, between the two 1 + 1 m.
TEST(TopologyCommand, measures_cables_between_racks) {
  const ScratchFolder folder;
  const std::string file = folder.path("cables.csv");
  ASSERT_EQ(run_weft({"topology", "hosts(1, mesh:4)", "-o", file, "--switches-per-rack", "2",
                      "--columns", "2"})
                .code,
            0);
  const std::string list = read_text(file);
  EXPECT_NE(list.find(",length_m,rack_a,rack_b,medium,kind_a,kind_b\n"), std::string::npos);
  EXPECT_NE(list.find("\n0,0,1,1,x,0,0,3,1,0,0,electrical,switch,switch\n"), std::string::npos)
      << list;
  EXPECT_NE(list.find("\n1,0,2,1,x,2,2,6,2,0,1,optical,switch,switch\n"), std::string::npos)
      << list;
  EXPECT_NE(list.find("\n3,1,7,0,terminal,6,9,13,1,1,1,electrical,switch,host\n"),
            std::string::npos)
      << list;
  const auto refused = run_weft({"topology", "ring:4", "--switches-per-rack", "2"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("-o cables.csv"), std::string::npos);
  EXPECT_EQ(run_weft({"topology", "ring:4", "-o", file, "--switches-per-rack", "0"}).code, 2);
}

// torus:4x4 has no cable between 0 and 5, which differ in both coordinates.
TEST(TopologyCommand, fails_cables_by_their_ends) {
  EXPECT_EQ(topology("without(cable=4~0, torus:4x4)")["cables"], 31);
  EXPECT_EQ(topology("without(cable=4~0, torus:4x4)")["hash"],
            topology("without(cable=0~4, torus:4x4)")["hash"]);
  const auto none = run_weft({"topology", "without(cable=0~5, torus:4x4)"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("node 0 has links to 1, 3, 4, 12"), std::string::npos) << none.err;
}

// Two rail switches that share no cable and six hosts on both: hosts are two links apart, and a
// host is cut off by its two cables.
TEST(TopologyCommand, says_what_holds_for_hosts_on_rails) {
  const ScratchFolder folder;
  json links = json::array();
  for (int host = 0; host < 6; ++host)
    for (int rail = 0; rail < 2; ++rail) links.push_back({host, 6 + rail, 0, 12 + rail * 6 + host});
  for (int rail = 0; rail < 2; ++rail)
    for (int host = 0; host < 6; ++host) links.push_back({6 + rail, host, 0, 2 * host + rail});
  const std::string file = folder.file("rails.json", json{{"format", "weft-topology"},
                                                          {"version", 1},
                                                          {"nodes", 8},
                                                          {"switches", {6, 7}},
                                                          {"classes", {"rail"}},
                                                          {"links", links}}
                                                         .dump());
  const json answer = topology("file:" + file);
  EXPECT_EQ(answer["planes"], 2);
  EXPECT_EQ(answer["between"], "hosts");
  EXPECT_EQ(answer["connected"], true);
  EXPECT_EQ(answer["diameter"], 2);
  EXPECT_EQ(answer["edge_connectivity"], 2);
  const auto text = run_weft({"topology", "file:" + file});
  EXPECT_NE(text.out.find("yes: every host reaches every other"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("the switches form separate ones"), std::string::npos) << text.out;
  EXPECT_EQ(topology("hosts(4, ring:8)")["between"], "switches");
  EXPECT_EQ(topology("ring:8")["between"], "nodes");
}

}  // namespace
