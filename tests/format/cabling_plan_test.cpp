// Cabling plans in DOT. tests/oracle/dot_test.py holds the same grammar against Graphviz.
#include <gtest/gtest.h>

#include "format/import_cases.hpp"
#include "support/fabrics.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::example;
using test::GBps;
using test::refusal_of;

constexpr const char* kPlan = "cabling-plan";
using Cables = std::multiset<std::string>;

ImportedFabric read(const std::string& text) {
  return test::import(kPlan, text);
}

TEST(CablingPlan, reads_devices_ports_and_speeds) {
  const std::string text = example("cabling.dot");
  EXPECT_EQ(recognise(text, "f").name, kPlan);
  const ImportedFabric fabric = read(text);
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(topology.hosts().size(), 4u);
  EXPECT_EQ(cables_of(topology),
            (Cables{"leaf1-spine1", "leaf1-spine2", "leaf2-spine1", "leaf2-spine2", "leaf1-server1",
                    "leaf1-server2", "leaf2-server3", "leaf2-server4"}));
  EXPECT_EQ(GBps(fabric, "leaf1", "spine2"), 50);   // 400 Gb/s
  EXPECT_EQ(GBps(fabric, "server1", "leaf1"), 25);  // by the default of edges
  const topology::NodeNames names(topology);
  const LinkId up = *topology.find_link(*names.find("leaf2"), *names.find("spine1"));
  EXPECT_EQ(port_of(topology, up), "swp49");
  EXPECT_EQ(port_of(topology, *topology.reverse(up)), "swp2");
  EXPECT_EQ(test::class_of(topology, "server1", "leaf1"), "terminal");
}

// The language's manual, graphviz.org/doc/info/lang.html: chains, subgraphs at either end, joined
// and continued strings, numbers and HTML as names, comments of three kinds, compass points.
TEST(CablingPlan, reads_what_graphviz_allows) {
  const ImportedFabric fabric = read(
      "# 1 \"before.dot\"\nSTRICT Graph \"a \\\" plan\" {\n"
      "rankdir = LR; label=<<b>a</b> -- b>\n"
      "graph [x=1, y=\"2\"; z] node [shape=box] [color=red]\n"
      "subgraph cluster_0 { node [role=\"compute\"]; h1; \"h\" + \"2\" }\n"
      "leaf1:\"swp1\":n -- h1:eth0 // the first\n"
      "leaf1:swp2 -- \"h\\\n2\":eth0 /* the\n second */\n"
      "{leaf1 leaf2} -- {\"spine-1\"; spine2} [note=\"}\"]\n"
      "leaf2 -- server3 -- leaf3 -- spine2\n"
      "}\n");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"h1-leaf1", "h2-leaf1", "leaf1-spine-1", "leaf1-spine2", "leaf2-spine-1",
                    "leaf2-spine2", "leaf2-server3", "leaf3-server3", "leaf3-spine2"}));
}

TEST(CablingPlan, knows_hosts_by_what_is_said_then_ports_then_names) {
  const ImportedFabric fabric =
      read("digraph { a [type=\"HCA\"]; a:swp1 -> b:swp3; c:ens1f0 -> b:x; b -> core7 -> node5; }");
  EXPECT_EQ(fabric.network.topology.hosts().size(), 3u);  // a, c, node5
  EXPECT_EQ(refusal_of(kPlan, "graph {\nserver1 -- x9\n}"),
            "f:2: x9 could be a host or a switch; add x9 [role=host] or x9 [role=switch]");
}

TEST(CablingPlan, takes_switches_alone_as_nodes) {
  const ImportedFabric fabric =
      read("graph { leaf1:swp1 -- spine1:swp1; leaf2:swp1 -- spine1:swp2 }");
  EXPECT_FALSE(fabric.network.topology.has_switches());
  EXPECT_EQ(fabric.network.topology.cable_count(), 2);
}

// "strict" forbids multi-edges: a later edge is the one before, whose attributes it replaces.
TEST(CablingPlan, merges_equal_edges_of_strict_graphs) {
  const ImportedFabric fabric = read(
      "strict graph {\nleaf1 -- spine1 [speed=\"100G\"]\nspine1:swp7 -- leaf1 [speed=\"400G\"]\n"
      "leaf2 -- spine1 -- leaf2\n}");
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(cables_of(topology), (Cables{"leaf1-spine1", "leaf2-spine1"}));
  EXPECT_EQ(GBps(fabric, "leaf1", "spine1"), 50);  // 400 Gb/s
  const topology::NodeNames names(topology);
  EXPECT_EQ(port_of(topology, *topology.find_link(*names.find("spine1"), *names.find("leaf1"))),
            "swp7");
  EXPECT_EQ(read("graph { a -- b; a -- b }").network.topology.cable_count(), 2);
  EXPECT_EQ(
      read("strict digraph { leaf1 -> spine1; leaf1 -> spine1 }").network.topology.cable_count(),
      1);
  EXPECT_EQ(
      read("strict digraph { leaf1 -> spine1; spine1 -> leaf1 }").network.topology.cable_count(),
      read("digraph { leaf1 -> spine1; spine1 -> leaf1 }").network.topology.cable_count());
  EXPECT_EQ(refusal_of(kPlan, "strict graph {\na:swp1 -- b:swp1\na:swp2 -- b:swp1\n}"),
            "f:3: a strict graph has one edge between two nodes, but here it is at port swp2 of "
            "a, and in line 2 at swp1; remove strict");
}

TEST(CablingPlan, refuses_plans_that_cannot_be_wired) {
  EXPECT_EQ(refusal_of(kPlan, "graph {\nleaf1:swp1 -- h1:eth0\nleaf1:swp1 -- h2:eth0\n}"),
            "f:3: port swp1 of leaf1 has two cables, the other at line 2");
  EXPECT_EQ(refusal_of(kPlan, "graph {\nleaf1 -- leaf1\n}"),
            "f has 1 device but no cable (leaf1); a network needs cables");
  EXPECT_EQ(refusal_of(kPlan, "graph {\nleaf1 -- h1:eth0\nleaf2 -- h2:eth0}").substr(0, 41),
            "f: no cable connects its 2 parts, leaf1 (");
  EXPECT_EQ(refusal_of(kPlan, "graph {\n\"leaf 1\" -- h1:eth0\n}"), "(accepted)");
  EXPECT_EQ(refusal_of(kPlan, "graph {\nleaf1 -- h1:eth0 [speed=fast]\n}").substr(0, 5), "f:2: ");
  EXPECT_EQ(refusal_of(kPlan, "graph {\n\"\" -- h1:eth0\n}").substr(0, 20), "f:2: invalid name ''");
  EXPECT_EQ(refusal_of(kPlan, "graph {\nx [role=lef]\nx -- h1:eth0\n}").substr(0, 28),
            "f:2: unknown role 'lef' of x");
  EXPECT_EQ(refusal_of(kPlan, "graph {\nx [type=SN5600, role=\"leaf\"]\nx -- h1:eth0\n}"),
            "(accepted)");  // a type may be a model
  EXPECT_EQ(refusal_of(kPlan, "graph { leaf1 }").substr(0, 16), "f has no cables;");
}

TEST(CablingPlan, leaves_out_what_leads_nowhere) {
  const ImportedFabric hairpin = read(test::case_file("files/dot-hairpin-cable.dot"));
  EXPECT_EQ(cables_of(hairpin.network.topology), (Cables{"leaf1-s1", "leaf1-s2"}));
  EXPECT_TRUE(test::has_note(hairpin, "cable leaf1[swp47] to leaf1[swp48] (line 7): left out"));
  const ImportedFabric spare = read(test::case_file("files/dot-device-without-cable.dot"));
  EXPECT_EQ(cables_of(spare.network.topology), (Cables{"leaf1-s1", "leaf1-s2"}));
  EXPECT_TRUE(test::has_note(spare, "spare (line 5): left out, because no cable leads there"));
  const ImportedFabric fake = read(
      "graph {\n  # unused ports\n outside [function=fake]\nleaf1:swp9 -- outside:eth1\n"
      "leaf1:swp1 -- s1:eth0\ns1:eth0 -- leaf1:swp1\n};\n");
  EXPECT_EQ(cables_of(fake.network.topology), (Cables{"leaf1-s1"}));
  EXPECT_TRUE(
      test::has_note(fake, "outside (line 3): left out with its cables, because its function"));
  EXPECT_TRUE(test::has_note(fake, "s1:eth0 - leaf1:swp1 (line 6): counted once"));
}

TEST(CablingPlan, takes_unknown_roles_by_ports) {
  const ImportedFabric fabric = read(test::case_file("files/dot-unknown-function.dot"));
  EXPECT_EQ(fabric.network.topology.hosts().size(), 2u);
  EXPECT_TRUE(test::has_note(fabric, "telemetry (netq-ts), read as a host (line 4)"));
  EXPECT_TRUE(test::has_note(read("graph {\nx [role=\"a\nb\"]\nx:eth0 -- leaf1\n}"),
                             "x (a?b), read as a host (line 2)"));
  // As Mininet calls them, or in groups.
  EXPECT_EQ(read("graph { h1 -- s1 -- s2 -- x; x [group=hosts] }").network.topology.hosts().size(),
            2u);
}

TEST(CablingPlan, refuses_digraphs_of_tasks) {
  for (const char* tasks : {"digraph G { a [size=\"1e9\"]; root -> a [size=\"2e8\"]; a -> end; }",
                            "digraph { a [type=compute]; b [type=transfer]; a -> b; }",
                            "digraph { \"x\":f0 -> \"y\":f1; core -> x; }"})
    EXPECT_EQ(refusal_of(kPlan, tasks).substr(0, 81),
              "f: the digraph is not a cabling plan, because no port, role or name in it is that");
}

TEST(CablingPlan, reads_speeds_of_labels_and_latencies) {
  const ImportedFabric fabric = read(
      "graph {\n leaf1 -- host1 [label=\"100G\", latency=\"2us\", color=red]\n"
      "leaf1 -- host2 [label=\"to the hosts\", bw=\"10Gbps\"]\n}");
  EXPECT_EQ(GBps(fabric, "leaf1", "host1"), 12.5);
  EXPECT_EQ(GBps(fabric, "leaf1", "host2"), 1.25);
  EXPECT_EQ(fabric.network.speeds.latency_ps[LinkId(0)], 2'000'000);
  EXPECT_TRUE(test::has_note(fabric, "the speed of 1 cable is that of their labels"));
  EXPECT_TRUE(test::has_note(fabric, "not read: attribute 'color' (line 2), attribute 'label'"));
}

TEST(CablingPlan, refuses_what_is_no_dot) {
  const auto why = [](const std::string& text) { return refusal_of(kPlan, text); };
  EXPECT_EQ(why("graph {\na -> b\n}"), "f:2: unexpected -> in a graph; write --");
  EXPECT_EQ(why("digraph {\na -- b\n}"), "f:2: unexpected -- in a digraph; write ->");
  EXPECT_EQ(why("graph {\na -- b\n"),
            "f:3: the file ends where a node is expected; it may be truncated");
  EXPECT_EQ(why("graph {\na -- \"b\n}"), "f:2: the quoted text is not closed");
  EXPECT_EQ(why("graph { a -- <b\n}"), "f:1: the HTML text is not closed by >");
  EXPECT_EQ(why("graph {\n/* a -- b }"), "f:2: the comment is not closed by */");
  EXPECT_EQ(why("graph { a@b -- c }").substr(0, 56),
            "f:1: '@' is not part of DOT; put names with it in quotes");
  EXPECT_EQ(why("graph { a -- b [speed=] }"), "f:1: unexpected ']' (expected a value)");
  EXPECT_EQ(why("graph { a -- b }\ngraph { c }").substr(0, 23), "f:2: unexpected 'graph'");
  EXPECT_EQ(why("graph { a -- b [speed=10G] }"),
            "f:1: '10G' starts like a number; write it in quotes");
  EXPECT_EQ(why("tree { }"), "f:1: unexpected 'tree' (expected graph or digraph)");
  EXPECT_EQ(why("graph " + std::string(10'000, '{')), "f:1: braces are nested deeper than 50");
  std::string many = "graph { {";
  for (int i = 0; i < 5'000; ++i) many += " a" + std::to_string(i);
  many += "} -- {";
  for (int i = 0; i < 5'000; ++i) many += " b" + std::to_string(i);
  EXPECT_EQ(why(many + "} }"), "f:1: the graph has more than 10000000 edges");
}

// Graphviz takes the last; a plan that says two things of one cable or device is edited.
TEST(CablingPlan, refuses_what_is_said_twice) {
  const auto why = [](const std::string& inner) {
    return refusal_of(kPlan, "graph {\n host1 -- leaf1 [speed=\"10G\"]\n" + inner + "}");
  };
  EXPECT_EQ(why("leaf1 [role=leaf]\n leaf1 [role=leaf, rack=1]\n"), "(accepted)");
  EXPECT_EQ(why("node [role=leaf]\n leaf2\n leaf2 [role=spine]\n leaf1 -- leaf2"), "(accepted)");
  EXPECT_EQ(why("host2 -- leaf1 [speed=\"10G\",\n speed=\"100G\"]"),
            "f:4: speed is repeated; remove one");
  EXPECT_EQ(why("host2 -- leaf1 [speed=\"10G\"]\n[speed=\"100G\"]"),
            "f:4: speed is repeated; remove one");
  EXPECT_EQ(why("leaf1 [role=leaf role=host]"), "f:3: role is repeated; remove one");
  EXPECT_EQ(why("leaf1 [role=leaf]\n leaf1 [role=host]"),
            "f:4: role of leaf1 is host here but leaf before; remove one");
}

}  // namespace
}  // namespace weft::format
