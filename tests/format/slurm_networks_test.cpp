// Slurm's rings, toruses, several topologies in one file, and files as sites have them, against the
// manual pages of Slurm 26.05 and the reports that the cases were made after.
#include <gtest/gtest.h>

#include "format/import_cases.hpp"
#include "support/fabrics.hpp"
#include "weft/analysis/distances.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::case_file;
using test::has_note;
using test::import;
using test::import_with;
using test::refusal_of;
using test::refusal_with;
using Cables = std::multiset<std::string>;

constexpr const char* kConf = "slurm-topology-conf";
constexpr const char* kYaml = "slurm-topology-yaml";

// Hosts, switches and cables.
std::string size_of(const ImportedFabric& fabric) {
  const Topology& topology = fabric.network.topology;
  return fmt::format("{} {} {}", topology.hosts().size(), topology.switches().size(),
                     topology.cable_count());
}

int diameter_of(const ImportedFabric& fabric) {
  return analysis::summarize_distances(fabric.network.topology).diameter();
}

TEST(SlurmNetworks, reads_rings) {
  const std::string text = case_file("ring.conf");
  EXPECT_EQ(recognise(text, "f").name, kConf);
  const ImportedFabric fabric = import(kConf, text);
  EXPECT_EQ(size_of(fabric), "8 0 8");
  EXPECT_EQ(diameter_of(fabric), 4);
  EXPECT_EQ(cables_of(fabric.network.topology).count("node01-node08"), 1u);
  // As scontrol prints it; two hosts have one cable, and the longest of Slurm's rings 16 hosts.
  EXPECT_EQ(cables_of(import(kConf, "RingName=r Nodes=b,a RingSize=2\n").network.topology),
            (Cables{"a-b"}));
  EXPECT_TRUE(has_note(import(kConf, "RingName=r Nodes=n[1-17]\n"), "at most 16 nodes in a ring"));
  EXPECT_EQ(refusal_of(kConf, "RingName=r Nodes=a,b,a\n"), "f:1: a is repeated in ring r");
  EXPECT_EQ(refusal_of(kConf, "RingName=r Nodes=n[1-3]\nRingName=r Nodes=n[4-6]\n"),
            "f:2: ring r is repeated, first at f:1");
  EXPECT_EQ(refusal_of(kConf, "RingName=r Nodes=n[1-3]\nSwitchName=s Nodes=n4\n"),
            "f:1: RingName and f:2 SwitchName cannot be in one file");
}

TEST(SlurmNetworks, reads_the_default_of_a_file_and_others_by_name) {
  const std::string text = case_file("slurm-2605.yaml");
  EXPECT_EQ(recognise(text, "f").name, kYaml);
  const ImportedFabric tree = import(kYaml, text);
  EXPECT_EQ(size_of(tree), "4 3 6");
  EXPECT_TRUE(has_note(
      tree,
      "of 4 topologies \"campus\" is used; --part NAME chooses another: loops (ring), cube "
      "(torus3d), plain (flat)"));
  const ImportedFabric torus = import_with(kYaml, text, {.part = "cube"});
  EXPECT_EQ(size_of(torus), "32 0 80");
  EXPECT_EQ(diameter_of(torus), 5);
  const auto cables = cables_of(torus.network.topology);
  for (const char* cable : {"node01-node02", "node01-node04", "node01-node05", "node01-node13",
                            "node01-node17"})  // x fastest, of 4 by 4 by 2
    EXPECT_EQ(cables.count(cable), 1u) << cable;
  EXPECT_EQ(size_of(import_with(kYaml, text, {.part = "loops"})), "8 0 8");
  EXPECT_EQ(size_of(import_with(kYaml, text, {.part = "campus/node03"})), "4 3 6");
  EXPECT_EQ(refusal_with(kYaml, text, {.part = "plain"}),
            "f:34: topology plain is flat, so it has no nodes and no cables");
  EXPECT_EQ(
      refusal_with(kYaml, text, {.part = "nosuch"}),
      "f: --part nosuch is not a device of the file; known: core; it is not a topology of the "
      "file either, campus, loops, cube, plain");
}

// Two rings are two parts: one by a device of it, or both by a switch that is assumed.
TEST(SlurmNetworks, parts_of_a_topology_are_taken_by_a_device) {
  const std::string text =
      "- topology: a\n  flat: true\n- topology: b\n  ring:\n    rings:\n"
      "      - {ring: r1, nodes: 'n[1-4]'}\n      - {ring: r2, nodes: [n5, 'n[6-7]']}\n";
  EXPECT_EQ(size_of(import_with(kYaml, text, {.part = "b/n6"})), "3 0 3");
  EXPECT_EQ(size_of(import_with(kYaml, text, {.part = "n6"})), "3 0 3");
  EXPECT_EQ(size_of(import_with(kYaml, text, {.part = "b", .join = true})), "7 1 9");
  EXPECT_NE(refusal_with(kYaml, text, {.part = "b"}).find("n1 (4 hosts), n5 (3 hosts)"),
            std::string::npos);
}

TEST(SlurmNetworks, reads_toruses_in_regions) {
  const ImportedFabric fabric = import(kYaml, case_file("torus-regions.yaml"));
  EXPECT_EQ(size_of(fabric), "16 0 32");
  EXPECT_EQ(diameter_of(fabric), 4);
  const auto cables = cables_of(fabric.network.topology);
  EXPECT_EQ(cables.count("a2-b1"), 1u);
  EXPECT_EQ(cables.count("a1-b2"), 1u);  // by wrapping
}

std::string torus_refusal(const std::string& inner) {
  return refusal_of(kYaml,
                    "- topology: t\n  torus3d:\n    toruses:\n      - {name: p, " + inner + "}\n");
}

TEST(SlurmNetworks, refuses_toruses_that_slurm_refuses) {
  EXPECT_EQ(torus_refusal("dims: {x: 2, y: 2, z: 1}, nodes: 'n[1-3]'"),
            "f:4: 2x2x1 cells of torus p need 4 nodes, but the list has 3");
  EXPECT_EQ(torus_refusal("dims: {x: 0, y: 2, z: 1}, nodes: 'n[1-3]'"),
            "f:4: x of dims is '0' (expected a number from 1 to 65535)");
  EXPECT_EQ(torus_refusal("dims: {x: 2, y: 2, z: 1}"),
            "f:4: torus p needs either nodes or regions");
  EXPECT_EQ(torus_refusal("dims: {x: 2, y: 1, z: 1}, regions: [{anchor: {x: 1, y: 0, z: 0}, dims: "
                          "{x: 2, y: 1, z: 1}, nodes: 'n[1-2]'}]"),
            "f:4: the region exceeds the torus p (2x1x1) in x: it starts at 1 and has length 2");
  const std::string region = "{anchor: {x: 0, y: 0, z: 0}, dims: {x: 2, y: 1, z: 1}, nodes: ";
  EXPECT_EQ(torus_refusal("dims: {x: 2, y: 1, z: 1}, regions: [" + region + "'n[1-2]'}, " + region +
                          "'n[3-4]'}]"),
            "f:4: the region overlaps another region of torus p, at x 0, y 0, z 0");
  EXPECT_EQ(torus_refusal("dims: {x: 2, y: 1, z: 1}, nodes: 'n1,n1'"),
            "f:4: n1 is repeated, first at f:4");
  EXPECT_EQ(refusal_of(kConf, "TorusName=pod1 Dims=4x4x2 Nodes=node[01-32]\n"),
            "f:1: scontrol does not print the places of nodes in a torus; give topology.yaml");
}

// Cells without a node have no cables: of a 3x1x1 ring one cable is left.
TEST(SlurmNetworks, tells_of_cells_without_nodes) {
  const ImportedFabric fabric = import(
      kYaml,
      "- topology: t\n  torus3d:\n    toruses:\n      - name: p\n        dims: {x: 3, y: 1, z: 1}\n"
      "        regions:\n          - {anchor: {x: 1, y: 0, z: 0}, dims: {x: 2, y: 1, z: 1}, nodes: "
      "'n[1-2]'}\n");
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"n1-n2"}));
  EXPECT_TRUE(test::answers_repeat(fabric, "1 of 3 cells of torus p have no node"));
}

TEST(SlurmNetworks, names_the_parts_of_a_forest) {
  const std::string text = case_file("forest.conf");
  EXPECT_EQ(refusal_of(kConf, text),
            "f: no cable connects its 3 parts, spineA (16 hosts), spineB (16 hosts), leafC (8 "
            "hosts); choose one with --part spineA, or join all with --join");
  EXPECT_EQ(size_of(import_with(kConf, text, {.part = "spineA"})), "16 3 18");
  EXPECT_EQ(size_of(import_with(kConf, text, {.part = "gpu020"})), "16 3 18");
  EXPECT_EQ(size_of(import_with(kConf, text, {.part = "leafC"})), "8 1 8");
  const std::string alone = case_file("files/slurm-no-topology.conf");
  EXPECT_NE(refusal_of(kConf, alone).find("core (4 hosts), no-topology (1 host)"),
            std::string::npos);
  EXPECT_EQ(size_of(import_with(kConf, alone, {.part = "core"})), "4 3 6");
  const ImportedFabric joined = import_with(kConf, alone, {.join = true});
  EXPECT_EQ(joined.network.topology.hosts().size(), 5u);
  EXPECT_TRUE(test::answers_repeat(joined, "is assumed"));
}

TEST(SlurmNetworks, leaves_out_what_has_no_nodes) {
  const ImportedFabric tree = import(kYaml, case_file("files/slurm-empty-switch.yaml"));
  EXPECT_EQ(cables_of(tree.network.topology), (Cables{"n1-r1", "n2-r1", "r1-top"}));
  EXPECT_TRUE(has_note(tree, "r2 (line 9): left out, because no node is below it"));
  const ImportedFabric blocks = import(kYaml, case_file("files/slurm-block-without-nodes.yaml"));
  EXPECT_EQ(cables_of(blocks.network.topology),
            (Cables{"b1-n1", "b1-n2", "b3-n3", "b3-n4", "b1-between-blocks", "b3-between-blocks"}));
  EXPECT_TRUE(has_note(blocks, "b2 (line 9): left out"));
  EXPECT_EQ(size_of(import(kConf,
                           "SwitchName=a Nodes=n1\nSwitchName=b Nodes=\n"
                           "SwitchName=c Switches=b\nSwitchName=d Switches=a,c\n")),
            "1 2 2");
}

// As scontrol of Slurm 25.11 prints blocks: index, size, and blocks of blocks.
TEST(SlurmNetworks, reads_blocks_as_scontrol_prints_them) {
  const ImportedFabric fabric =
      import(kConf,
             "BlockName=b1 BlockIndex=0 Nodes=n[1-2] BlockSize=2\n"
             "BlockName=b2 BlockIndex=1 Nodes=n[3-4] BlockSize=2\n"
             "AggregatedBlock=b1,b2 BlockIndex=0 Nodes=n[1-4] BlockSize=4\n");
  EXPECT_EQ(size_of(fabric), "4 3 6");
}

// scontrol repeats at a switch the nodes below it; others hang on the switch itself.
TEST(SlurmNetworks, hosts_beside_switches_hang_on_the_lowest_that_lists_them) {
  const ImportedFabric fabric = import(kConf,
                                       "SwitchName=leaf Nodes=n[1-2]\n"
                                       "SwitchName=mid Switches=leaf Nodes=n[1-3]\n"
                                       "SwitchName=top Switches=mid Nodes=n[1-3]\n");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"leaf-n1", "leaf-n2", "leaf-mid", "mid-n3", "mid-top"}));
  EXPECT_TRUE(has_note(fabric, "1 node at mid (line 2): read as cables"));
  EXPECT_FALSE(has_note(fabric, "at top"));
}

// Looking below each of many switches with nodes of their own would take the square of the file.
TEST(SlurmNetworks, bounds_the_search_for_hosts_below) {
  std::string text = "SwitchName=m Switches=l[1-3000]\n";
  for (int i = 1; i <= 3'000; ++i)
    text += fmt::format("SwitchName=t{0} Nodes=x{0} Switches=m\nSwitchName=l{0} Nodes=n{0}\n", i);
  EXPECT_EQ(import(kConf, text).network.topology.hosts().size(), 6'000u);
  for (int i = 1; i <= 3'000; ++i)
    text += fmt::format("SwitchName=u{0} Nodes=n1,y{0} Switches=m\n", i);
  EXPECT_NE(refusal_of(kConf, text)
                .find("too many switches have both nodes and switches below them; give"),
            std::string::npos);
}

TEST(SlurmNetworks, reads_lists_as_slurm_splits_them) {
  EXPECT_EQ(cables_of(import(kConf, "SwitchName=17 Nodes=1,2,[3-4]\n").network.topology),
            (Cables{"1-17", "17-2", "17-3", "17-4"}));
  const ImportedFabric twice = import(kConf, "SwitchName=a Nodes=\"n1 n[2, 3]\tn3\"\n");
  EXPECT_EQ(cables_of(twice.network.topology), (Cables{"a-n1", "a-n2", "a-n3"}));
  EXPECT_TRUE(has_note(twice, "n3 below a (line 1): counted once"));
}

TEST(SlurmNetworks, skips_what_else_slurm_conf_says) {
  const std::string text =
      "ClusterName=c\nTopologyPlugin=topology/tree\nNodeName=n[1-4] CPUs=8\n"
      "NodeName=n5 CPUs=8\nSwitchName=a Nodes=n[1-4] Colour=red\nInclude nodes.conf\n"
      "PartitionName=p Nodes=ALL\n";
  EXPECT_EQ(recognise(text, "f").name, kConf);
  const ImportedFabric fabric = import(kConf, text);
  EXPECT_EQ(size_of(fabric), "4 1 4");
  EXPECT_TRUE(has_note(fabric, "parameter 'NodeName' (2 times, first on line 3)"));
  EXPECT_TRUE(has_note(fabric, "parameter 'Colour' (line 5)"));
  EXPECT_TRUE(has_note(fabric, "Include nodes.conf (line 6): not read"));
  EXPECT_EQ(refusal_with(kConf, text, {.strict = true}),
            "f:1: parameter 'ClusterName' is not supported, and --strict refuses what weft "
            "cannot read");
  EXPECT_EQ(refusal_of(kConf, "SwitchName=a Nodes=n1\nSwitchNam=b Nodes=n2\n").substr(0, 35),
            "f:2: unknown parameter 'SwitchNam';");
}

TEST(SlurmNetworks, bounds_lists_of_a_file) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += fmt::format("SwitchName=s{} Nodes=n[1-50000]\n", i);
  EXPECT_EQ(refusal_of(kConf, text), "f:21: the lists of the file have more than 1000000 names");
}

}  // namespace
}  // namespace weft::format
