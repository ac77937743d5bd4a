// Damaged files of every format that holds networks: read or refused, nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "fuzz/feed.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/format/format.hpp"

namespace {

using namespace weft;
using test::feed;
using test::Mutator;

using Seeds = std::map<std::string, std::vector<std::string>>;  // texts, by format

// Of formats that have no example and no case.
const Seeds kSmall{
    {"ibsim",
     {"Switch 2 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n\nHca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 "
      "\"H2\"\n[1] \"S1\"[2]\n"}},
    {"gml",
     {"graph [\n directed 0\n node [\n id 0\n label \"A\"\n ]\n node [\n id 1\n label \"B\"\n ]\n"
      " edge [\n source 0\n target 1\n LinkSpeedRaw 1e9\n ]\n]\n"}},
    {"node-link-json",
     {R"({"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": "a"}, {"id": 7}],)"
      R"("links": [{"source": "a", "target": 7, "bandwidth": "10 Gbps"}]})"}},
    {"edge-list", {"a b {'weight': 1}\nb c {'capacity': '10Gbps'}\n", "0 1 3.5\n1 2 2\n"}},
    {"adjacency-list", {"#comment\na b c\nb c\nc\n", "a 2\nb\nc\nb 0\nc 0\n"}},
    {"graph6", {">>graph6<<DQc\n", ">>sparse6<<:Fa@x^\n"}},
    {"sndlib",
     {"?SNDlib native format; type: network; version: 1.0\nNODES (\n A ( 1.0 2.0 )\n B ( 3.0 4.0 "
      ")\n"
      ")\nLINKS (\n L1 ( A B ) 10.0 0.0 0.0 0.0 ( 40.0 1.0 )\n)\n",
      "<network xmlns=\"http://sndlib.zib.de/network\"><networkStructure><nodes><node id=\"A\"/>"
      "<node id=\"B\"/></nodes><links><link id=\"L\"><source>A</source><target>B</target></link>"
      "</links></networkStructure></network>"}},
    {"repetita",
     {"NODES 2\nlabel x y\nA 0 0\nB 1 1\n\nEDGES 2\nlabel src dest weight bw delay\ne0 0 1 1 1000 "
      "5\n"
      "e1 1 0 1 1000 5\n"}},
    {"containerlab",
     {"name: lab\ntopology:\n  nodes:\n    leaf: {kind: srl}\n    h1: {kind: linux}\n  links:\n"
      "    - endpoints: [\"leaf:e1-1\", \"h1:eth1\"]\n",
      "topology:\n  defaults: &base {kind: srl}\n  nodes:\n    leaf: *base\n"
      "    h1: &pc {<<: [*base], kind: linux}\n    h2: *pc\n  links:\n"
      "    - endpoints: [\"leaf:e1-1\", \"h1:eth1\"]\n    - endpoints: [\"leaf:e1-2\", "
      "\"h2:eth1\"]\n"}},
    {"htsim-topo",
     {"Nodes 16\nTiers 2\nPodsize 16\nTier 0\nDownlink_speed_Gbps 100\nRadix_Up 4\nRadix_Down 4\n"
      "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\n"}},
    {"astra-sim-ns3",
     {"3 1 2\n2\n0 2 100Gbps 500ns 0\n1 2 100Gbps 500ns 0\n",
      "4 2 3\n0 2 100Gbps 500ns 0\n1 3 100Gbps 500ns 0\n2 3 100Gbps 500ns 0\n"}},
    {"astra-sim-network",
     {"topology: [ Ring, Switch ]\nnpus_count: [ 4, 2 ]\nbandwidth: [ 100.0, 50.0 ]\nlatency: [ "
      "500, "
      "1000 ]\n"}}};

Seeds seeds() {
  Seeds all;
  for (const char* folder : {"/examples", "/tests/data/cases"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(test::source_dir() + folder)) {
      if (!entry.is_regular_file() || entry.file_size() > 100'000) continue;
      const std::string text = read_file(entry.path().string());
      for (const format::Format& format : format::formats())
        if (format.read_fabric != nullptr && format.recognises != nullptr &&
            format.recognises(text))
          all[format.name].push_back(text);
    }
  for (const auto& [format, texts] : kSmall)
    all[format].insert(all[format].end(), texts.begin(), texts.end());
  return all;
}

const std::vector<std::string> kWords{"\n",      "\t",
                                      " ",       "\"",
                                      "'",       "<",
                                      ">",       "/>",
                                      "</",      "=",
                                      "{",       "}",
                                      "[",       "]",
                                      "(",       ")",
                                      ":",       ",",
                                      ";",       "#",
                                      "--",      "->",
                                      "0",       "-1",
                                      "1e9",     "nan",
                                      "1e308",   "0x",
                                      "\\",      "null",
                                      "&amp;",   "é",
                                      "\x01",    "99999999999999999999",
                                      "100Gbps", "id",
                                      "node",    "edge",
                                      "host",    "switch",
                                      "true",    "65536"};

TEST(Networks, of_all_formats_are_read_or_refused) {
  const Seeds all = seeds();
  const Mutator mutate(kWords);
  for (const format::Format& format : format::formats()) {
    if (format.read_fabric == nullptr) continue;
    const auto found = all.find(format.name);
    ASSERT_NE(found, all.end()) << format.name << " has no seed; add one to kSmall";
    for (const bool strict : {false, true})
      feed(600, found->second, mutate, [&](const std::string& text) {
        const auto fabric = format.read_fabric(
            {.text = text, .file = "damaged", .options = {.strict = strict, .join = !strict}});
        EXPECT_GT(fabric.network.topology.node_count(), 0) << format.name;
      });
  }
}

// By content alone, as `weft import FILE` without --from reads.
TEST(Networks, are_recognised_or_refused) {
  std::vector<std::string> texts;
  for (const auto& [format, of_format] : seeds())
    texts.insert(texts.end(), of_format.begin(), of_format.end());
  const Mutator mutate(kWords);
  feed(2'000, texts, mutate,
       [](const std::string& text) { (void)format::read_network(text, "damaged"); });
}

}  // namespace
