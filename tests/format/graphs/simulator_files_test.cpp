// Networks of htsim, ASTRA-sim and containerlab.
#include "graph_tests.hpp"

namespace weft::format {
namespace {

std::string tier(int number, const std::string& rest) {
  return fmt::format("\nTier {}\nDownlink_speed_Gbps 100\nDownlink_Latency_ns 1000\n", number) +
         rest;
}

// 32 hosts, 4 leaves of 8 with 2 cables up, 2 spines of 4.
const std::string kTwoTiers = "# two\nNodes 32\nTiers 2\nPodsize 32\n" +
                              tier(0, "Radix_Down 8\nRadix_Up 2\nOversubscribed 4\n") +
                              tier(1, "Radix_Down 4\n");

TEST(Htsim, reads_two_tiers) {
  const ImportedFabric fabric = import("htsim-topo", kTwoTiers);
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(topology.hosts().size(), 32u);
  EXPECT_EQ(topology.switches().size(), 6u);
  EXPECT_EQ(topology.cable_count(), 32 + 4 * 2);
  EXPECT_EQ(GBps(fabric, "host9", "leaf1"), 12.5);
  EXPECT_EQ(GBps(fabric, "leaf3", "spine1"), 12.5);
  EXPECT_EQ(fabric.network.speeds.latency_ps[LinkId(0)], 1'000'000);
}

// 10^6 cables at hosts and as many above, 10^10 at cores: nothing is multiplied by speeds before
// they are counted, which would not fit into 64 bits.
TEST(Htsim, refuses_radices_beyond_any_network) {
  const std::string text =
      "Nodes 1000000\nTiers 3\nPodsize 10000\n"
      "Tier 0\nDownlink_speed_Gbps 1000000\nRadix_Down 10000\nRadix_Up 10000\n"
      "Tier 1\nDownlink_speed_Gbps 1000000\nRadix_Down 10000\nRadix_Up 10000\n"
      "Tier 2\nDownlink_speed_Gbps 1000000\nRadix_Down 10000\n";
  EXPECT_EQ(refusal_of("htsim-topo", text),
            "f: the tree has too many cables: 10002000000 (at most 1000000)");
}

// 8 hosts in pods of 4; each tier-1 switch has 4 cables up, two to each of two cores.
TEST(Htsim, reads_three_tiers_with_bundles) {
  const std::string text =
      "Nodes 8\nTiers 3\nPodsize 4\n"
      "Tier 0\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 2\n"
      "Tier 1\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 4\nBundle 1\n"
      "Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 4\nBundle 2\nSwitch_Latency_ns 5\n";
  const ImportedFabric fabric = import("htsim-topo", text);
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(topology.switches().size(), 4u + 4u + 4u);
  EXPECT_EQ(topology.cable_count(), 8 + 4 * 2 + 4 * 4);
  const Cables all = cables_of(topology);
  EXPECT_EQ(all.count("core0-spine0"), 2u);
  EXPECT_EQ(all.count("core1-spine0"), 0u);
  EXPECT_EQ(all.count("core2-spine2"), 2u);
  EXPECT_EQ(GBps(fabric, "core0", "spine0"), 12.5);
  EXPECT_NE(notes_of(fabric).find("Switch_Latency_ns 5 of tier 2"), std::string::npos);
}

TEST(Htsim, refuses_what_htsim_does) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kTwoTiers;
    text.replace(text.find(from), from.size(), to);
    return refusal_of("htsim-topo", text);
  };
  EXPECT_NE(
      with("Oversubscribed 4", "Oversubscribed 2").find("up do not match an oversubscription of 2"),
      std::string::npos);
  EXPECT_NE(with("Radix_Down 4", "Radix_Down 3").find("do not carry"), std::string::npos);
  EXPECT_NE(with("Podsize 32", "Podsize 30").find("not a multiple"), std::string::npos);
  EXPECT_NE(with("Radix_Down 8", "Radix_Dwon 8").find("f:9: unknown key 'Radix_Dwon'"),
            std::string::npos)
      << with("Radix_Down 8", "Radix_Dwon 8");
  EXPECT_NE(with("Nodes 32\n", "").find("has no Nodes"), std::string::npos);
}

// The backend's GB is 2^30 bytes.
TEST(AstraSimNetwork, reads_products) {
  const ImportedFabric fabric =
      import("astra-sim-network",
             "# comment\ntopology: [ Ring, Switch ]\nnpus_count: [ 4, 2 ]\n"
             "bandwidth: [ 50.0, 12.5 ]  # GB/s\nlatency: [ 500, 936.25 ]\n");
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(topology.hosts().size(), 8u);
  EXPECT_EQ(topology.switches().size(), 4u);
  EXPECT_EQ(topology.cable_count(), 2 * 4 + 8);
  const Cables all = cables_of(topology);
  for (const char* cable : {"0-1", "2-3", "0-3", "4-7", "1-switch1-1", "5-switch1-1"})
    EXPECT_EQ(all.count(cable), 1u) << cable;
  EXPECT_DOUBLE_EQ(GBps(fabric, "0", "1"), 53.6870912);
  EXPECT_EQ(refusal_of("astra-sim-network",
                       "topology: [Ring]\nnpus_count: [4, 2]\nbandwidth: [1]\nlatency: [1]\n"),
            "f:1: 1 dimensions have 2 npus_count, 1 bandwidth and 1 latency; each dimension "
            "needs one");
  EXPECT_NE(refusal_of("astra-sim-network",
                       "topology: [Tree]\nnpus_count: [4]\nbandwidth: [1]\nlatency: [1]\n")
                .find("unknown dimension 'Tree'"),
            std::string::npos);
}

// A ring of two is one cable; a dimension of one is none.
TEST(AstraSimNetwork, reads_small_dimensions) {
  const std::string text =
      "topology: [ Ring, FullyConnected, Ring ]\nnpus_count: [ 2, 3, 1 ]\n"
      "bandwidth: [ 1, 1, 1 ]\nlatency: [ 1, 1, 1 ]\n";
  EXPECT_EQ(import("astra-sim-network", text).network.topology.cable_count(), 3 + 2 * 3);
  EXPECT_EQ(recognise(text, "f").name, "astra-sim-network");
}

TEST(AstraSimNs3, reads_both_first_lines) {
  const std::string text =
      "4 1 3\n3\n3 0 400Gbps 0.0005ms 0\n3 1 400Gbps 0.0005ms 0\n"
      "3 2 200Gbps 0.0005ms 0\n";
  const ImportedFabric fabric = import("astra-sim-ns3", text);
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"0-3", "1-3", "2-3"}));
  EXPECT_EQ(fabric.network.topology.switches().size(), 1u);
  EXPECT_EQ(fabric.network.speeds.bandwidth_Bps[LinkId(0)], 50'000'000'000);
  EXPECT_EQ(fabric.network.speeds.latency_ps[LinkId(0)], 500'000);
  EXPECT_EQ(recognise(text, "f").name, "astra-sim-ns3");
  const std::string direct =
      "3 0 3\n\n0 1 25Gbps 0.005ms 0\n1 2 25Gbps 0.005ms 0\n"
      "2 0 25Gbps 0.005ms 0\n";
  EXPECT_EQ(import("astra-sim-ns3", direct).network.topology.hosts().size(), 3u);
  const std::string simai =
      "4 2 1 1 2 H100\n2 3\n0 2 2880Gbps 0.000025ms 0\n1 2 2880Gbps "
      "0.000025ms 0\n";
  EXPECT_EQ(import("astra-sim-ns3", simai).network.topology.hosts().size(), 2u);
  EXPECT_EQ(recognise(simai, "f").name, "astra-sim-ns3");
}

// ns-3 reads words, and does not care for lines. Where the list is missing, the one node that the
// head announces as a switch can only be the one with several links.
TEST(AstraSimNs3, reads_switches_over_lines_or_finds_them) {
  const std::string links = "0 3 1Gbps 1ms 0\n1 3 1Gbps 1ms 0\n3 4 1Gbps 1ms 0\n4 2 1Gbps 1ms 0\n";
  const ImportedFabric listed = import("astra-sim-ns3", "5 2 4\n3\n4\n" + links);
  EXPECT_EQ(listed.network.topology.switches().size(), 2u);
  EXPECT_EQ(notes_of(listed), "");
  EXPECT_EQ(recognise("5 2 4\n3\n4\n" + links, "f").name, "astra-sim-ns3");
  const ImportedFabric found = import("astra-sim-ns3", "5 2 4\n" + links);
  EXPECT_EQ(found.network.topology.switches().size(), 2u);
  EXPECT_EQ(found.network.topology.hosts().size(), 3u);
  EXPECT_EQ(notes_of(found),
            "node 3 and 1 more (line 2): read as switches, because the file lists none and these "
            "nodes have more than one link\n");
  EXPECT_EQ(refusal_of("astra-sim-ns3", "5 1 4\n" + links),
            "f:2: the first line announces 1 switch; no switch is listed (2 nodes have "
            "more than one link); put the numbers of the switches before the links");
  EXPECT_EQ(refusal_of("astra-sim-ns3", "5 2 4\n3\n" + links),
            "f:3: the first line announces 2 switches; 1 is listed; put the numbers "
            "of the switches before the links");
}

TEST(AstraSimNs3, names_what_is_wrong) {
  EXPECT_EQ(refusal_of("astra-sim-ns3", "3 1 2\n2\n0 2 1Gbps 1ms 0\n"),
            "f:3: the file announces 2 links but has 1");
  EXPECT_NE(
      refusal_of("astra-sim-ns3", "3 1 2\n2\n0 2 1Gbps 1 0\n").find("f:3: '1' is not a delay"),
      std::string::npos);
  EXPECT_NE(refusal_of("astra-sim-ns3", "9999999 1 2\n2\n").find("are more than"),
            std::string::npos);
}

const std::string kLab =
    "name: two\ntopology:\n  defaults:\n    kind: nokia_srlinux\n  groups:\n    box:\n"
    "      kind: linux\n  nodes:\n    leaf1:\n    h1: {group: box}\n    h2:\n      kind: linux\n"
    "  links:\n    - endpoints: [\"h1:eth1\", \"leaf1:e1-1\"]\n"
    "    - type: veth\n      endpoints:\n        - node: h2\n          interface: eth1\n"
    "        - node: leaf1\n          interface: e1-2\n"
    "    - endpoints: [\"leaf1:e1-3\", \"host:veth0\"]\n"
    "    - type: mgmt-net\n      endpoint: {node: h1, interface: eth9}\n";

// As labs write it: the common part once, each node with what differs.
TEST(Containerlab, reads_aliases_and_merge_keys) {
  const std::string lab =
      "topology:\n  defaults: &base\n    kind: nokia_srlinux\n    image: x\n  nodes:\n"
      "    leaf1: *base\n    leaf2:\n      <<: *base\n      image: y\n"
      "    h1: &pc {<<: [*base], kind: linux}\n    h2: *pc\n  links:\n"
      "    - endpoints: [\"h1:eth1\", \"leaf1:e1\"]\n    - endpoints: [\"h2:eth1\", \"leaf2:e1\"]\n"
      "    - endpoints: [\"leaf1:e2\", \"leaf2:e2\"]\n";
  const ImportedFabric fabric = import("containerlab", lab);
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"h1-leaf1", "h2-leaf2", "leaf1-leaf2"}));
  EXPECT_EQ(fabric.network.topology.hosts().size(), 2u);
}

// Nine aliases of nine of nine ... : a few lines, and 9^9 nodes.
TEST(Containerlab, refuses_aliases_that_stand_for_too_much) {
  std::string bomb = "topology:\n  nodes: {a: {kind: linux}}\nx0: &x0 [1]\n";
  for (int i = 1; i <= 9; ++i) {
    bomb += fmt::format("x{0}: &x{0} [", i);
    for (int k = 0; k < 9; ++k) bomb += fmt::format("{}*x{}", k == 0 ? "" : ", ", i - 1);
    bomb += "]\n";
  }
  EXPECT_NE(refusal_of("containerlab", bomb).find("the aliases (*name) expand to too much text"),
            std::string::npos);
  EXPECT_EQ(refusal_of("containerlab", "topology: &t\n  nodes: *t\n"),
            "f:2: this alias is inside of its own anchor");
  EXPECT_EQ(refusal_of("containerlab", "topology:\n  nodes:\n    a: {<<: b}\n"),
            "f:3: << does not name a map");
}

TEST(Containerlab, reads_kinds_groups_and_both_forms_of_links) {
  const ImportedFabric fabric = import("containerlab", kLab);
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(cables_of(topology), (Cables{"h1-leaf1", "h2-leaf1"}));
  EXPECT_EQ(topology.hosts().size(), 2u);
  EXPECT_EQ(topology::port_of(topology, LinkId(0)), "eth1");
  const std::string notes = notes_of(fabric);
  EXPECT_NE(notes.find("the link from leaf1 to host (line 21), a link of type mgmt-net (line 22): "
                       "left out, because it leads out of the lab"),
            std::string::npos)
      << notes;
  EXPECT_EQ(recognise(kLab, "f").name, "containerlab");
}

TEST(Containerlab, a_lab_of_routers_is_one_of_hosts) {
  const ImportedFabric fabric =
      import("containerlab",
             "topology:\n  nodes:\n    a: {kind: cisco_iol}\n    b: {kind: crpd}\n"
             "  links:\n  - endpoints: [\"a:1\", \"b:1\"]\n");
  EXPECT_EQ(fabric.network.topology.hosts().size(), 2u);
  EXPECT_NE(notes_of(fabric).find("no node has kind linux, so all are read as hosts"),
            std::string::npos);
}

TEST(Containerlab, names_what_is_wrong) {
  const std::string head = "topology:\n  nodes:\n    a: {kind: linux}\n  links:\n";
  EXPECT_EQ(refusal_of("containerlab", head + "  - endpoints: [\"a:1\", \"b:1\"]\n"),
            "f:5: b is not a node of the lab");
  EXPECT_EQ(refusal_of("containerlab", head + "  - endpoints: [\"a\", \"b:1\"]\n"),
            "f:5: invalid endpoint 'a' (expected NODE:INTERFACE)");
  EXPECT_EQ(refusal_of("containerlab", head + "  - endpoints: [\"a:1\"]\n"),
            "f:5: a link needs two endpoints");
}

}  // namespace
}  // namespace weft::format
