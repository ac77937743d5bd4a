// Slurm's topology.conf and topology.yaml, against the manual pages of Slurm 26.05. The cases
// in tests/data/cases have their values from what Slurm and public reports say of such files.
#include <gtest/gtest.h>

#include <map>

#include "format/import_cases.hpp"
#include "support/fabrics.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::example;
using test::import;
using test::refusal_of;
using topology::node_text;

constexpr const char* kConf = "slurm-topology-conf";
constexpr const char* kYaml = "slurm-topology-yaml";

TEST(Slurm, reads_a_tree_of_switches) {
  const std::string text = example("topology.conf");
  EXPECT_EQ(recognise(text, "f").name, kConf);
  const ImportedFabric fabric = import(kConf, text);
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(topology.hosts().size(), 32u);
  EXPECT_EQ(topology.switches().size(), 5u);
  EXPECT_EQ(topology.cable_count(), 36);
  EXPECT_EQ(node_text(topology, NodeId(0)), "node01");
  EXPECT_EQ(node_text(topology, NodeId(31)), "node32");
  const auto cables = cables_of(topology);
  for (const char* cable :
       {"leaf1-node01", "leaf1-node08", "leaf2-node09", "leaf4-node32", "leaf1-top", "leaf4-top"})
    EXPECT_EQ(cables.count(cable), 1u) << cable;
  EXPECT_TRUE(fabric.network.speeds.empty()) << "LinkSpeed has arbitrary units";
}

TEST(Slurm, has_as_many_cables_up_as_one_says) {
  const auto cables = cables_of(import(kConf, example("topology.conf"), {3}).network.topology);
  EXPECT_EQ(cables.count("leaf1-top"), 3u);
  EXPECT_EQ(cables.count("leaf1-node01"), 1u);
}

// Case of parameters is ignored, # begins a comment, a backslash ends a line that goes on.
TEST(Slurm, reads_the_manuals_spellings) {
  const auto cables = cables_of(
      import(kConf,
             "# a comment\n\nswitchname=s0 NODES=dev[0-1,5],login # behind\n"
             "SWITCHNAME=s1 nodes=tux[08-10] \\\n  linkspeed=1\nSwitchName=s2 Switches=s[0-1]\r\n")
          .network.topology);
  EXPECT_EQ(cables,
            (std::multiset<std::string>{"dev0-s0", "dev1-s0", "dev5-s0", "login-s0", "s1-tux08",
                                        "s1-tux09", "s1-tux10", "s0-s2", "s1-s2"}));
}

// slurmctld 22.05 takes both, the first with a warning.
TEST(Slurm, hosts_and_switches_may_be_below_several) {
  const auto cables = cables_of(import(kConf,
                                       "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[2-3]\n"
                                       "SwitchName=c Switches=a,b\n"
                                       "SwitchName=e Switches=a,b\n")
                                    .network.topology);
  EXPECT_EQ(cables, (std::multiset<std::string>{"a-n1", "a-n2", "b-n2", "b-n3", "a-c", "b-c", "a-e",
                                                "b-e"}));
}

TEST(Slurm, says_where_a_host_is_below_several) {
  EXPECT_TRUE(test::has_note(
      import(kConf,
             "SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[2-4]\n"
             "SwitchName=c Switches=a,b\n"),
      "n2 is below a (f:1) and b (f:2), with a cable to each; 1 more switches have nodes as well"));
}

TEST(Slurm, says_that_link_speeds_are_not_heeded) {
  for (const char* speed : {"50", "100G", "100Mb/s"})
    EXPECT_TRUE(test::has_note(
        import(kConf, fmt::format("SwitchName=a Nodes=n[1-3] LinkSpeed={}\n", speed)),
        "link speeds (f:1) are not used, because their unit is arbitrary"))
        << speed;
  EXPECT_EQ(refusal_of(kConf, "SwitchName=a Nodes=n[1-3] LinkSpeed=fast\n"),
            "f:1: invalid link speed 'fast' (Slurm has a number from 0 to 4294967295)");
  EXPECT_EQ(refusal_of(kYaml,
                       "- topology: a\n  tree:\n    switches:\n      - switch: s\n        "
                       "nodes: n1\n        link_speed: fast\n")
                .substr(0, 60),
            "f:6: invalid link speed 'fast' (Slurm has a number from 0 to");
}

// Two pods of two leaves under one top, and a leaf right under it.
constexpr const char* kPods =
    "SwitchName=l1 Nodes=n1\nSwitchName=l2 Nodes=n2\nSwitchName=l3 Nodes=n3\n"
    "SwitchName=p1 Switches=l[1-2]\nSwitchName=top Switches=p1,l3\n";

TEST(Slurm, levels_have_classes_and_cables_of_their_own) {
  const Topology topology = import(kConf, kPods, {4, 2}).network.topology;
  const auto cables = cables_of(topology);
  EXPECT_EQ(cables.count("l1-p1"), 4u);
  EXPECT_EQ(cables.count("l3-top"), 4u);  // a leaf
  EXPECT_EQ(cables.count("p1-top"), 2u);
  std::map<std::string, int> links;
  for (const LinkId link : topology.links())
    ++links[topology.class_names()[topology.link_class(link)]];
  EXPECT_EQ(links, (std::map<std::string, int>{{"terminal", 6}, {"level1", 24}, {"level2", 4}}));
}

TEST(Slurm, refuses_cables_of_levels_that_the_tree_has_not) {
  try {
    import(kConf, kPods, {4, 2, 1});
    FAIL() << "accepted";
  } catch (const InvalidInput& why) {
    EXPECT_EQ(std::string(why.what()),
              "f: --uplinks 4,2,1 has cables for 3 levels of switches, but the tree has 2; give "
              "one number for each level, leaves first, or one for all");
  }
}

// As scontrol of Slurm 22.05 prints examples/topology.conf.
TEST(Slurm, reads_what_scontrol_prints) {
  const ImportedFabric fabric =
      import(kConf,
             "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=node[01-08]\n"
             "SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=node[09-16]\n"
             "SwitchName=leaf3 Level=0 LinkSpeed=1 Nodes=node[17-24]\n"
             "SwitchName=leaf4 Level=0 LinkSpeed=1 Nodes=node[25-32]\n"
             "SwitchName=top Level=1 LinkSpeed=400 Nodes=node[01-32] Switches=leaf[1-4]\n");
  EXPECT_EQ(cables_of(fabric.network.topology),
            cables_of(import(kConf, example("topology.conf")).network.topology));
}

TEST(Slurm, joins_blocks_by_a_switch) {
  const ImportedFabric fabric = import(
      kConf, "BlockName=b1 Nodes=n[01-02]\nBlockName=b2 Nodes=n[03-04]\nBlockSizes=2,4\n", {2});
  const auto cables = cables_of(fabric.network.topology);
  EXPECT_EQ(cables, (std::multiset<std::string>{"b1-n01", "b1-n02", "b2-n03", "b2-n04",
                                                "b1-between-blocks", "b1-between-blocks",
                                                "b2-between-blocks", "b2-between-blocks"}));
  EXPECT_EQ(fabric.remarks.size(), 3u);
}

TEST(Slurm, reads_the_default_of_several_topologies) {
  const std::string text = example("topology.yaml");
  EXPECT_EQ(recognise(text, "f").name, kYaml);
  const ImportedFabric fabric = import(kYaml, text);
  EXPECT_EQ(cables_of(fabric.network.topology),
            (std::multiset<std::string>{"leaf1-node01", "leaf1-node02", "leaf1-node03",
                                        "leaf1-node04", "leaf2-node05", "leaf2-node06",
                                        "leaf2-node07", "leaf2-node08", "leaf1-top", "leaf2-top"}));
  EXPECT_EQ(fabric.remarks.back(),
            topology::ImportNote(
                "of 2 topologies \"fabric\" is used; --part NAME chooses another: nvlink (block)"));
}

TEST(Slurm, reads_blocks_of_yaml_where_the_default_is_flat) {
  const ImportedFabric fabric = import(kYaml,
                                       "- topology: a\n  cluster_default: true\n  flat: true\n"
                                       "- topology: b\n  block:\n    block_sizes: [2]\n"
                                       "    blocks: [{block: x, nodes: 'n[1-2]'}]\n");
  EXPECT_EQ(cables_of(fabric.network.topology), (std::multiset<std::string>{"n1-x", "n2-x"}));
}

TEST(Slurm, refuses_what_is_no_tree) {
  const auto conf = [](const std::string& text) { return refusal_of(kConf, text); };
  EXPECT_EQ(conf("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n"),
            "f:2: a is repeated, first at f:1");
  EXPECT_EQ(conf("BlockName=a Nodes=n[1-2]\nBlockSizes=2,x\n"),
            "f:2: BlockSizes=2,x: 'x' is not a number of nodes; write 18,36");
  EXPECT_EQ(conf("SwitchName=a Nodes=b\nSwitchName=b Nodes=n1\n"),
            "f:1: b is a switch, at f:2; give the node another name");
  EXPECT_EQ(conf("SwitchName=a Switches=b\n"), "f:1: switch b is not in the file");
  EXPECT_EQ(conf("SwitchName=a\n"), "f has no hosts");
  EXPECT_EQ(conf("SwitchName=a Switches=b\nSwitchName=b Switches=a\n"),
            "f:1: switch a is below itself, or the tree has more than 100 levels");
  EXPECT_EQ(conf("SwitchName=a Nodes=n1\nBlockName=b Nodes=n2\n"),
            "f:1: SwitchName and f:2 BlockName cannot be in one file");
}

TEST(Slurm, refuses_what_is_no_topology_conf) {
  const auto conf = [](const std::string& text) { return refusal_of(kConf, text); };
  EXPECT_EQ(conf("SwitchName=a Node=n1\n").substr(0, 30), "f:1: unknown parameter 'Node';");
  EXPECT_EQ(conf("SwitchName=a Nodes\n"), "f:1: Nodes has no value; add Nodes=...");
  EXPECT_EQ(conf("SwitchName= Nodes=n1\n"), "f:1: SwitchName has no value; add SwitchName=...");
  EXPECT_EQ(conf("SwitchName=a Nodes=n1 Nodes=n2\n"), "f:1: Nodes is repeated");
  EXPECT_EQ(conf("Nodes=n1\n"), "f:1: the line has no SwitchName, BlockName or RingName");
  EXPECT_EQ(conf("SwitchName=a Nodes=n[1-\n").substr(0, 5), "f:1: ");
  EXPECT_EQ(conf("SwitchName=a Nodes=n[1-99999999]\n"),
            "f:1: 'n[1-99999999]' expands to more than 1000000 names; check its ranges");
  EXPECT_EQ(conf("# nothing\n"),
            "f has no SwitchName, BlockName or RingName; check that it is the topology.conf of "
            "Slurm");
}

TEST(Slurm, refuses_what_is_no_topology_yaml) {
  const auto yaml = [](const std::string& text) { return refusal_of(kYaml, text); };
  EXPECT_EQ(yaml("- topology: a\n  tree: {switches: [{switch: s, node: n1}]}\n").substr(0, 24),
            "f:2: unknown parameter '");
  EXPECT_EQ(yaml("- topology: a\n  flat: true\n"),
            "f:1: topology a is flat, so it has no nodes and no cables");
  EXPECT_EQ(yaml("- topology: a\n"),
            "f:1: topology a has none of tree, block, flat, ring, torus3d; give it one");
  EXPECT_EQ(yaml("- topology: a\n  tree: 3\n"), "f:2: expected a map of switches");
  EXPECT_EQ(yaml("- topology: a\n  topology: b\n"), "f:2: key topology is repeated");
  EXPECT_EQ(yaml("a: b\n"), "f:1: expected a list of topologies, each \"- topology: NAME\"");
  EXPECT_EQ(yaml("- a: &x [1]\n  b: *y\n").substr(0, 29), "f:2: the file is not YAML (th");
  EXPECT_EQ(yaml("- a\n---\n- b\n"), "f:2: the file has a second document; remove one");
  EXPECT_EQ(yaml("- topology: [\n").substr(0, 28), "f:2: the file is not YAML (e");
  EXPECT_EQ(yaml(std::string(10'000, '[')).substr(0, 5), "f:1: ");
  EXPECT_EQ(yaml("").substr(0, 22), "f:1: expected a list o");
}

// YAML has many words for true; of two topologies the default is read.
TEST(Slurm, the_default_is_said_by_true_or_false) {
  const auto text = [](const char* word) {
    return fmt::format(
        "- topology: a\n  tree: {{switches: [{{switch: s, nodes: n1}}]}}\n"
        "- topology: b\n  cluster_default: {}\n  tree: {{switches: [{{switch: t, nodes: n1}}]}}\n",
        word);
  };
  for (const char* yes : {"true", "True", "yes", "on"})
    EXPECT_EQ(cables_of(import(kYaml, text(yes)).network.topology).count("n1-t"), 1u) << yes;
  for (const char* no : {"false", "no", "OFF"})
    EXPECT_EQ(cables_of(import(kYaml, text(no)).network.topology).count("n1-s"), 1u) << no;
  EXPECT_EQ(refusal_of(kYaml, text("maybe")),
            "f:4: invalid cluster_default 'maybe' (expected true or false)");
  EXPECT_EQ(refusal_of(kYaml, text("[true]")),
            "f:4: invalid cluster_default '' (expected true or false)");
}

}  // namespace
}  // namespace weft::format
