// Readers of graphs, fed with damaged input: each answers or refuses, nothing else.
#include <gtest/gtest.h>

#include "fuzz/feed.hpp"
#include "weft/format/format.hpp"

namespace {

using namespace weft;

struct Seed {
  const char* format;
  std::string text;
  std::vector<std::string> words;
};

const std::vector<Seed>& seeds() {
  static const std::vector<Seed> kSeeds{
      {"graphml",
       "<graphml><key id='l' for='node' attr.name='label'/><key id='s' for='edge' "
       "attr.name='LinkSpeedRaw'><default>1e9</default></key><graph edgedefault='undirected'>"
       "<node id='0'><data key='l'>A</data></node><node id='1'/><node id='2'/>"
       "<edge source='0' target='1'><data key='s'>1000</data></edge>"
       "<edge source='1' target='2' directed='true'/></graph></graphml>",
       {"<node id='9'/>", "<graph>", "</graph>", "source='0'", "target='7'", "<data key='s'>",
        "&a;", "1e999", "-1", "directed='true'", "<!--", "]]>", "edgedefault='directed'"}},
      {"gml",
       "graph [\n directed 0\n label \"x\"\n node [ id 0 label \"A\" ]\n node [ id 1 ]\n"
       " node [ id 2 label \"&#233;\" ]\n edge [ source 0 target 1 LinkSpeed \"10\" "
       "LinkSpeedUnits \"G\" ]\n edge [ source 1 target 2 ]\n]\n",
       {"[", "]", "\"", "node [ id 7 ]", "edge [", "source 0 ", "target 9 ", "id ", "#", "graph [",
        "directed 1 ", "&#x110000;", "-1", "1e999", "key "}},
      {"node-link-json",
       R"({"directed": false, "graph": {"capacity_unit": "Mbps"}, "nodes": [{"id": "a"},)"
       R"({"id": 1, "type": "switch"}, {"id": "c"}], "links": [{"source": "a", "target": 1,)"
       R"("capacity": 5}, {"source": 1, "target": "c", "bw": "10G"}]})",
       {"{", "}", "[", "]", ":", ",", "\"", "null", "true", "\"source\": ", "\"target\": 1",
        "1e400", "-1", "\"adjacency\": [[],[],[]]", "\"id\": 1", "\"edges\": []"}},
      {"sndlib",
       "?SNDlib native format; type: network; version: 1.0\nMETA (\n unit = MBITPERSEC\n)\n"
       "NODES (\n A ( 1 2 )\n B ( 1 2 )\n C ( 1 2 )\n)\nLINKS (\n L1 ( A B ) 8.00 0.00 0.00 1.00 ( "
       "40.00 4640.00 )\n L2 ( B C ) 0.00 0.00 0.00 0.00 ( )\n)\n",
       {"(", ")", "#", "\n", "NODES (", "LINKS (", "A", "L3 ( A C ) 1 1 1 1 ( )", "-1", "1e999",
        "unit = BITPERSEC"}},
      {"sndlib",
       "<network version=\"1.0\"><networkStructure><nodes><node id=\"A\"/><node id=\"B\"/></nodes>"
       "<links><link id=\"L\"><source>A</source><target>B</target><preInstalledModule><capacity>5"
       "</capacity></preInstalledModule></link></links></networkStructure></network>",
       {"<node id=\"C\"/>", "</nodes>", "<links>", "<source>B</source>", "&a;", "-1", "1e999", "<",
        ">", "\""}},
      {"repetita",
       "NODES 3\nlabel x y\n0_A 1 2\n1_B 1 2\n2_C 1 2\n\nEDGES 4\nlabel src dest weight bw delay\n"
       "e0 0 1 1 1000 5\ne1 1 0 1 1000 5\ne2 1 2 1 1000 5\ne3 2 1 1 1000 5\n",
       {"NODES 2", "EDGES 3", "\n", "-1", "99999999999999999999", "label ", "0 2 ", "#", "1e9"}},
      {"htsim-topo",
       "Nodes 8\nTiers 3\nPodsize 4\nTier 0\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 2\n"
       "Tier 1\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 4\nBundle 1\nTier 2\n"
       "Downlink_speed_Gbps 100\nRadix_Down 4\nBundle 2\n",
       {"Tier 2\n", "Bundle 2\n", "Oversubscribed 2\n", "0", "1", "9", "1000000", "-1", "Nodes ",
        "Switch_Latency_ns 7\n", "Queue_up 3\n", "#"}},
      {"astra-sim-network",
       "topology: [ Ring, Switch ]\nnpus_count: [ 4, 2 ]\nbandwidth: [ 50.0, 12.5 ]\n"
       "latency: [ 500, 936.25 ]\n",
       {"[", "]", ",", ":", "FullyConnected", "-1", "1e999", "1000000", "\n", "{", "}", "&a ",
        "*a"}},
      {"astra-sim-ns3",
       "4 1 3\n3\n3 0 400Gbps 0.0005ms 0\n3 1 400Gbps 0.0005ms 0\n3 2 200Gbps 0.0005ms 0\n",
       {"9", "0", "\n", "-1", "99999999999999999999", "1e9Gbps", "ms", "5 1 1 1 3 H100\n", "\t"}},
      {"containerlab",
       "topology:\n  defaults: {kind: nokia_srlinux}\n  nodes:\n    leaf1:\n    h1: {kind: linux}\n"
       "    h2:\n      kind: linux\n  links:\n    - endpoints: [\"h1:eth1\", \"leaf1:e1-1\"]\n"
       "    - endpoints: [\"h2:eth1\", \"leaf1:e1-2\"]\n",
       {"[", "]", "{", "}", ": ", "- ", "\n", "  ", "\"", "h1:eth1", "host:x",
        "endpoint: ", "node: h1", "*a", "&a ", "<<: *a\n"}},
      {"edge-list",
       "# list\nA B {'weight': 3, 'capacity': '10 Gbps', 'x': [1, {'y': 2}]}\nB C {}\nC D 100Mbps "
       "2ms\n",
       {"{", "}", "'", "[", ",", ":", "\n", "\t", " 10 Gbps", "A ", "{'a': ", "%",
        "source,target\n", "-1", "1e999"}},
      {"adjacency-list", "A B C\nB C\nC\n", {"\n", " ", "A", "\t", "{}", "B 1\n", "#", "2"}},
      {"adjacency-list",
       "A 2\nB {'capacity': '8 Gbps'}\nC {}\nB 1\nC {}\nC 0\n",
       {"\n", "2", "{}", "{", "}", "A", " 99999999999999999999", "-1"}},
      {"graph6", "DQc\n", {"~", "~~", ":", "&", ";", "\n", "?", "@", ">>graph6<<", "\x7f"}},
      {"graph6", ":Fa@x^\n", {"~", "~~", ":", "&", ";", "\n", "?", "@", ">>sparse6<<", "\x01"}}};
  return kSeeds;
}

TEST(Graphs, read_damaged_files) {
  for (const Seed& seed : seeds()) {
    const int taken =
        test::feed(2'000, {seed.text}, test::Mutator(seed.words), [&](const std::string& text) {
          const auto fabric = format::find_format(seed.format).read_fabric({text, "damaged"});
          EXPECT_GT(fabric.network.topology.node_count(), 0);
        });
    EXPECT_GT(taken, 20) << seed.format;
  }
}

TEST(Graphs, recognise_damaged_files) {
  for (const Seed& seed : seeds())
    test::feed(500, {seed.text}, test::Mutator(seed.words),
               [](const std::string& text) { (void)format::recognise(text, "damaged"); });
}

}  // namespace
