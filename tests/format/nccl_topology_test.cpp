// Machines of NCCL and RCCL. The texts are ours, after NCCL's src/graph/xml.cc and the models that
// come with RCCL; speeds are the vendors'.
#include <gtest/gtest.h>

#include "../../src/weft/format/machines/links.hpp"
#include "support/fabrics.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::class_of;
using test::example;
using test::GBps;
using test::refusal_of;

constexpr const char* kNccl = "nccl-topology";
using Cables = std::multiset<std::string>;

ImportedFabric read(const std::string& text) {
  return test::import(kNccl, text);
}

TEST(NcclTopology, reads_gpus_switches_and_cards) {
  const std::string text = example("nccl-topology.xml");
  EXPECT_EQ(recognise(text, "f").name, kNccl);
  const ImportedFabric fabric = read(text);
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(topology.hosts().size(), 4u);
  EXPECT_EQ(cables_of(topology),
            (Cables{"GPU0-NVSwitch", "GPU1-NVSwitch", "GPU2-NVSwitch", "GPU3-NVSwitch",
                    "GPU0-pci-0000:10:00.0", "GPU1-pci-0000:10:00.0", "GPU2-pci-0000:50:00.0",
                    "GPU3-pci-0000:50:00.0", "cpu0-pci-0000:10:00.0", "cpu1-pci-0000:50:00.0",
                    "mlx5_0-pci-0000:10:00.0", "mlx5_1-pci-0000:50:00.0", "cpu0-cpu1"}));
  EXPECT_EQ(GBps(fabric, "GPU0", "NVSwitch"), 450);  // H100: 18 links of 25 GB/s
  EXPECT_EQ(class_of(topology, "GPU0", "NVSwitch"), "nvlink-x18");
  EXPECT_NEAR(GBps(fabric, "GPU1", "pci-0000:10:00.0"), 63.015, 0.001);  // PCIe 5.0 x16
  EXPECT_EQ(GBps(fabric, "mlx5_1", "pci-0000:50:00.0"), 50);             // 400 Gb/s
  EXPECT_EQ(class_of(topology, "mlx5_1", "pci-0000:50:00.0"), "card");
  EXPECT_EQ(GBps(fabric, "cpu0", "cpu1"), 22);  // NCCL's figure for Sapphire Rapids
}

// A bridge with one device behind it is part of its link, which is as fast as its slowest part.
TEST(NcclTopology, passes_bridges_with_one_device_through) {
  const ImportedFabric fabric = read(
      "<system version='2'><cpu numaid='0' arch='x86_64' vendor='AuthenticAMD' familyid='175'>"
      "<pci busid='0000:01:00.0' class='0x060400' link_speed='32.0 GT/s PCIe' link_width='8'>"
      "<pci busid='0000:03:00.0' class='0x120000' link_speed='32.0 GT/s PCIe' link_width='16'>"
      "<gpu dev='0' sm='304' gcn='gfx942' rank='0'>"
      "<xgmi target='0000:13:00.0' count='1' tclass='0x120000'/></gpu></pci></pci>"
      "<pci busid='0000:11:00.0' class='0x060400' link_speed='16 GT/s' link_width='16'>"
      "<pci busid='0000:13:00.0' class='0x120000' link_speed='32.0 GT/s PCIe' link_width='16'>"
      "<gpu dev='1' sm='304' gcn='gfx942' rank='1'>"
      "<xgmi target='0000:03:00.0' count='1' tclass='0x120000'/></gpu></pci></pci>"
      "<nic><net name='bond0' dev='0' speed='-1' port='0'/></nic></cpu></system>");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-cpu0", "GPU1-cpu0", "GPU0-GPU1", "bond0-cpu0"}));
  EXPECT_EQ(GBps(fabric, "GPU0", "GPU1"), 64);               // MI300X
  EXPECT_NEAR(GBps(fabric, "GPU0", "cpu0"), 31.508, 0.001);  // 8 lanes of 32 GT/s
  EXPECT_NEAR(GBps(fabric, "GPU1", "cpu0"), 31.508, 0.001);  // 16 lanes of 16 GT/s
  EXPECT_EQ(GBps(fabric, "bond0", "cpu0"), 1.25);            // unknown: 10 Gb/s, as NCCL takes it
}

// PCI-SIG: 1 GB/s = 8 bits of 10 at 10 Gb/s ... ; 7.877 GB/s on 8 lanes of 8 GT/s.
TEST(NcclTopology, links_are_as_fast_as_vendors_say) {
  using namespace machines;
  EXPECT_EQ(pci_Bps("2.5 GT/s PCIe", 4), 1'000'000'000);
  EXPECT_EQ(pci_Bps("5 GT/s", 16), 8'000'000'000);
  EXPECT_EQ(pci_Bps("8.0 GT/s PCIe", 8), 7'876'923'076);
  EXPECT_EQ(pci_Bps("64.0 GT/s PCIe", 16), 121'000'000'000);
  for (const char* none : {"", "Unknown", "7 GT/s", "GT/s"})
    EXPECT_EQ(pci_Bps(none, 16), std::nullopt);
  EXPECT_EQ(pci_Bps("16 GT/s", 0), std::nullopt);
  EXPECT_EQ(*nvlink_Bps(60) * 4, 80'000'000'000);     // P100: 160 GB/s both ways
  EXPECT_EQ(*nvlink_Bps(70) * 6, 150'000'000'000);    // V100: 300
  EXPECT_EQ(*nvlink_Bps(80) * 12, 300'000'000'000);   // A100: 600
  EXPECT_EQ(*nvlink_Bps(86) * 4, 56'250'000'000);     // A40: 112.5
  EXPECT_EQ(*nvlink_Bps(90) * 18, 450'000'000'000);   // H100: 900
  EXPECT_EQ(*nvlink_Bps(100) * 18, 900'000'000'000);  // B200: 1.8 TB/s
  EXPECT_EQ(nvlink_Bps(89), std::nullopt);
  EXPECT_EQ(*xgmi_Bps("908") * 3, 138'000'000'000);     // MI100: 276 GB/s both ways
  EXPECT_EQ(*xgmi_Bps("gfx942") * 7, 448'000'000'000);  // MI300X: 896
  EXPECT_EQ(*xgmi_Bps("gfx950") * 7, 537'600'000'000);  // MI355X: 1,075
}

// By a leaf-spine of one port a card: from any GPU to any card of the box it is plugged into X.
TEST(NcclTopology, cards_join_boxes) {
  const BuiltTopology box = read(example("nccl-topology.xml")).network;
  const BuiltTopology outside = build_topology("leaf-spine:leaves=2,spines=2,hosts=2");
  const BuiltTopology two = topology::join_boxes(2, topology::Wiring::flat, box, &outside);
  const Topology& topology = two.topology;
  EXPECT_EQ(topology.hosts().size(), 8u);
  EXPECT_EQ(topology.switches().size(), 2 * box.topology.switches().size() + 4);
  const auto cables = cables_of(topology);
  EXPECT_EQ(cables.count("box1-NVSwitch-box1:3"), 1u);
  ASSERT_NE(topology.facets().find<topology::Groups>(), nullptr);
  EXPECT_EQ(topology.facets().find<topology::Groups>()->hosts, 4);
  // Cards 0 and 1 of box 0 are ports 0 and 1 of X: its leaf 0.
  const topology::NodeNames names(topology);
  const auto first_leaf = [&](const char* card) {
    for (const LinkId link : topology.out_links(*names.find(card)))
      if (topology.class_names()[topology.link_class(link)] == "terminal")
        return topology.head(link);
    return NodeId(0);
  };
  EXPECT_EQ(first_leaf("box0-mlx5_0"), first_leaf("box0-mlx5_1"));
  EXPECT_EQ(first_leaf("box1-mlx5_0"), first_leaf("box1-mlx5_1"));
  EXPECT_NE(first_leaf("box0-mlx5_0"), first_leaf("box1-mlx5_0"));
  // Links of X are as fast as the cards.
  for (const LinkId link : topology.out_links(first_leaf("box0-mlx5_0")))
    EXPECT_EQ(two.speeds.bandwidth_Bps[link], 50'000'000'000);

  const BuiltTopology rails = topology::join_boxes(2, topology::Wiring::rail, box, nullptr);
  const topology::NodeNames rail_names(rails.topology);
  const auto neighbours = [&](const char* card) {
    return rails.topology.out_degree(*rail_names.find(card));
  };
  EXPECT_EQ(rails.topology.switches().size(), 2 * box.topology.switches().size() + 2);
  EXPECT_EQ(neighbours("box0-mlx5_0"), 2);
}

TEST(NcclTopology, leaves_cards_out_by_name) {
  const BuiltTopology box = read(example("nccl-topology.xml")).network;
  const Topology one = with_cards(box, {"mlx5_1"}).topology;
  const topology::NodeNames names(one);
  EXPECT_TRUE(names.find("mlx5_1"));
  EXPECT_FALSE(names.find("mlx5_0"));
  EXPECT_EQ(one.cable_count(), box.topology.cable_count() - 1);
  EXPECT_EQ(with_cards(box, {"mlx5_0", "mlx5_1"}).topology.hash(), box.topology.hash());
  EXPECT_THROW(with_cards(box, {"mlx5_2"}), InvalidInput);
}

TEST(NcclTopology, machines_that_nvlink_joins_keep_their_names_apart) {
  const std::string cpu =
      "<pci busid='0000:03:00.0' class='0x030200' link_speed='' link_width='0'>"
      "<gpu dev='0' sm='100' rank='0'><nvlink target='0:0' count='18' tclass='0x068000'/></gpu>"
      "</pci></cpu>";
  const ImportedFabric fabric = read("<system><cpu numaid='0' host_hash='0x1'>" + cpu +
                                     "<cpu numaid='0' host_hash='0x2'>" + cpu + "</system>");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"NVSwitch-machine0-GPU0", "NVSwitch-machine1-GPU0",
                    "machine0-GPU0-machine0-cpu0", "machine1-GPU0-machine1-cpu0"}));
  EXPECT_EQ(GBps(fabric, "machine1-GPU0", "NVSwitch"), 900);
}

TEST(NcclTopology, refuses_broken_machines) {
  const auto why = [](const std::string& inner) {
    return refusal_of(kNccl, "<system>\n<cpu numaid='0'>\n" + inner + "</cpu></system>");
  };
  const std::string gpu0 = "<pci busid='a' class='0x03'><gpu dev='0' sm='90'>";
  EXPECT_EQ(why("").substr(0, 19), "f has no <gpu> and ");
  EXPECT_EQ(why(gpu0 + "</gpu></pci>\n<pci busid='a' class='0x03'><gpu dev='1'/></pci>"),
            "f:4: busid a is repeated; a GPU has one place");
  EXPECT_EQ(why(gpu0 + "</gpu></pci>\n<pci busid='b' class='0x03'><gpu dev='0'/></pci>"),
            "f:4: GPU 0 is repeated");
  EXPECT_EQ(why(gpu0 + "<nvlink target='b' count='2' tclass='0x03'/></gpu></pci>\n"
                       "<pci busid='b' class='0x03'><gpu dev='1'>"
                       "<nvlink target='a' count='1' tclass='0x03'/></gpu></pci>"),
            "f:4: one end has 2 links and the other 1; the file is truncated or edited");
  EXPECT_EQ(why(gpu0 + "<nvlink target='b' count='many' tclass='0x03'/></gpu></pci>"),
            "f:3: count 'many' is not an integer from 1 to 1000");
  EXPECT_EQ(why(gpu0 + "<nvlink target='b' count='1' tclass='0x99'/></gpu></pci>").substr(0, 29),
            "f:3: tclass 0x99 is not a GPU");
  EXPECT_EQ(why("<pci class='0x03'><gpu dev='0'/></pci>"), "f:3: <pci> has no busid");
}

TEST(NcclTopology, refuses_speeds_of_links_that_are_none) {
  const auto with = [](const char* speed) {
    return refusal_of(kNccl,
                      fmt::format("<system>\n<cpu numaid='0'>\n<pci busid='1' link_speed='{}' "
                                  "link_width='16'><gpu dev='0'/></pci></cpu></system>",
                                  speed));
  };
  for (const char* known : {"16.0 GT/s PCIe", "8 GT/s", "2.5 GT/s", "", "Unknown speed"})
    EXPECT_EQ(with(known), "(accepted)") << known;
  for (const char* none : {"4xFOO", "17 GT/s", "16", "GT/s"})
    EXPECT_EQ(with(none).find(fmt::format("f:3: link_speed '{}' is not a speed of PCI", none)), 0u)
        << with(none);
}

// Attributes grow with versions; elements are those that NCCL's and RCCL's readers look for.
TEST(NcclTopology, refuses_what_it_would_pass_over) {
  const auto why = [](const std::string& gpu, const std::string& net = "") {
    return refusal_of(kNccl,
                      "<system version='1'>\n<cpu numaid='0'>\n<pci busid='0000:0a:00.0' new='1'>"
                      "<gpu dev='0' sm='90'>\n" +
                          gpu + "</gpu></pci>\n<pci busid='0000:0b:00.0'><nic>\n" + net +
                          "<net name='mlx5_0' port='1'/><net name='mlx5_0' port='2'/></nic></pci>"
                          "</cpu></system>");
  };
  EXPECT_EQ(why("<c2c bw='1' count='1'/>"), "(accepted)");
  EXPECT_EQ(why("<nvlnk target='0000:0c:00.0' count='1' tclass='0x03'/>"),
            "f:4: unexpected <nvlnk> in <gpu>; did you mean nvlink?");
  EXPECT_EQ(why("", "<nett name='x'/>"), "f:6: unexpected <nett> in <nic>; did you mean net?");
  // Links to GPUs that take no part are in real files, but those have the form of a busid.
  EXPECT_EQ(why("<nvlink target='0000:0C:00.0' count='1' tclass='0x03'/>"), "(accepted)");
  EXPECT_EQ(why("<nvlink target='GPU1' count='1' tclass='0x03'/>"),
            "f:4: target 'GPU1' is not a busid of a GPU, such as 0000:1b:00.0");
  EXPECT_EQ(why("<nvlink target='0000:0b:00.0' count='1' tclass='0x03'/>"),
            "f:4: target 0000:0b:00.0 is not a GPU; its place is at f:5");
  EXPECT_EQ(why("", "<net name='mlx5_1' speed='-1'/>"), "(accepted)");  // NCCL: some NICs say so
  EXPECT_EQ(why("", "<net name='mlx5_1' speed='-400000'/>"),
            "f:6: speed '-400000' is not an integer from -1 to 2147483647");
  EXPECT_EQ(why("", "<net name='mlx5_0' port='1'/>\n"),
            "f:7: port 1 of mlx5_0 is repeated; a card has one place");
}

TEST(NcclTopology, refuses_two_files_in_one) {
  const std::string one =
      "<system>\n<cpu numaid='0'><pci busid='1'><gpu dev='0'/></pci></cpu>\n</system>\n";
  EXPECT_EQ(refusal_of(kNccl, "<?xml version='1.0'?>\n<!-- one -->\n" + one), "(accepted)");
  EXPECT_EQ(refusal_of(kNccl, one + one),
            "f:4: <system> is outside of <system>; check that this is one file");
  EXPECT_EQ(refusal_of(kNccl, one + "SwitchName=leaf1 Nodes=n1\n"),
            "f:4: text is outside of <system>; check that this is one file");
}

TEST(NcclTopology, refuses_hostile_xml) {
  EXPECT_EQ(refusal_of(kNccl, "<system>\n<cpu>").substr(0, 26), "f:2: the file is not XML: ");
  EXPECT_EQ(refusal_of(kNccl, "<net/>").substr(0, 56),
            "f:1: unexpected <net> (expected <system>, with which top");
  std::string deep = "<system>";
  for (int i = 0; i < 100'000; ++i) deep += "<cpu>";
  for (int i = 0; i < 100'000; ++i) deep += "</cpu>";
  EXPECT_EQ(refusal_of(kNccl, deep + "</system>").substr(0, 52),
            "f: elements are nested deeper than 100, too deep for");
  // Entities of a document type stay what they are: no names of a billion letters.
  const std::string laughs =
      "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n"
      "<system><cpu numaid='&b;'/></system>";
  EXPECT_EQ(refusal_of(kNccl, laughs),
            "f:2: the file is not XML: the entity &b; is not defined; write its text");
}

}  // namespace
}  // namespace weft::format
