// weft topology and weft list: what they say, in text and JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "support/command_line.hpp"

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
  const json answer = topology("file:" WEFT_SOURCE_DIR "/examples/dgx1.edges");
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

TEST(ListCommand, lists_every_kind_with_unique_names) {
  for (const std::string kind : {"topologies", "algorithms", "collectives", "models", "routings"}) {
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

// The table of examples is the one that the parser reads.
TEST(ListCommand, lists_topologies_whose_examples_are_accepted) {
  const json answer = json::parse(run_weft({"list", "topologies", "--json"}).out);
  for (const json& row : answer["topologies"]) {
    const std::string example = row["example"];
    if (example.starts_with("file:")) continue;
    const auto ran = run_weft({"topology", example, "--measure", "cheap"});
    EXPECT_EQ(ran.code, 0) << example << ": " << ran.err;
  }
}

}  // namespace
