// Machines of NCCL as clouds ship them and as later releases write them. The texts are ours, after
// public files; what is right follows from NCCL's src/graph/topo.cc and xml.cc.
#include <gtest/gtest.h>

#include "support/fabrics.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::class_of;
using test::GBps;
using test::refusal_of;

constexpr const char* kNccl = "nccl-topology";
using Cables = std::multiset<std::string>;

ImportedFabric read_case(const std::string& name) {
  return test::import(kNccl, read_file(test::source_dir() + "/tests/data/cases/" + name));
}

ImportedFabric read(const std::string& text) {
  return test::import(kNccl, text);
}

bool has_note(const ImportedFabric& fabric, std::string_view part,
              topology::NoteKind kind = topology::NoteKind::reading) {
  return std::ranges::any_of(fabric.remarks, [&](const topology::ImportNote& note) {
    return note.kind == kind && note.text.find(part) != std::string::npos;
  });
}

TEST(NcclFiles, takes_pci_devices_for_what_their_class_says) {
  const ImportedFabric fabric = read_case("nccl-pci-only.xml");
  EXPECT_EQ(fabric.network.topology.hosts().size(), 4u);
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-pci-ffff:01:00.0", "GPU1-pci-ffff:01:00.0", "NIC0-pci-ffff:01:00.0",
                    "GPU2-pci-ffff:02:00.0", "GPU3-pci-ffff:02:00.0", "NIC1-pci-ffff:02:00.0",
                    "cpu0-pci-ffff:01:00.0", "cpu1-pci-ffff:02:00.0", "cpu0-cpu1"}));
  EXPECT_EQ(class_of(fabric.network.topology, "NIC0", "pci-ffff:01:00.0"), "card");
  EXPECT_NEAR(GBps(fabric, "GPU0", "pci-ffff:01:00.0"), 31.508, 0.001);  // PCIe 4.0 x16
  EXPECT_TRUE(has_note(fabric, "the file has no NVLinks", topology::NoteKind::answer));
}

TEST(NcclFiles, leaves_links_to_the_same_gpu_out) {
  const ImportedFabric fabric = read_case("nccl-nvlink-to-itself.xml");
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"GPU0-cpu0", "GPU1-cpu0", "cpu0-eth0"}));
  EXPECT_TRUE(has_note(fabric, "left out, because both ends are one GPU"));
  EXPECT_EQ(GBps(fabric, "cpu0", "eth0"), 12.5);
}

// The classes of Ethernet and InfiniBand, of a graphics card, of an accelerator; a disk is neither.
TEST(NcclFiles, knows_the_classes_of_devices) {
  int bus = 0;
  const auto one = [&](const char* device_class) {
    return fmt::format("<pci busid='0000:0{}:00.0' class='{}'/>", ++bus, device_class);
  };
  const ImportedFabric fabric =
      read("<system><cpu numaid='0'>" + one("0x120000") + one("0x038000") + one("0x030000") +
           one("0x020000") + one("0x010802") + "</cpu></system>");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-cpu0", "GPU1-cpu0", "GPU2-cpu0", "NIC0-cpu0"}));
  EXPECT_TRUE(has_note(fabric, "neither a GPU nor a card of the job: 1"));
}

// Two cards that NCCL merges: net=0 says that the card itself is not used.
TEST(NcclFiles, reads_virtual_cards_and_what_later_releases_add) {
  const std::string gpu = "<pci busid='0000:01:00.0'><gpu dev='0' sm='90' rank='0'/></pci>";
  const ImportedFabric fabric = read(
      "<system version='1'><cpu numaid='0'>" + gpu +
      "<pci busid='0000:02:00.0'><nic><net name='mlx5_0' dev='0' speed='200000' net='0' keep='1' "
      "rail='1' new='2'/></nic></pci>"
      "<pci busid='0000:03:00.0'><nic><net name='mlx5_1' dev='1' speed='200000' net='0'/>"
      "<gin name='x'/></nic></pci>"
      "<nic><net name='mlx5_0+mlx5_1' dev='2' speed='400000' net='1'/></nic>"
      "<memory size='1'/></cpu></system>");
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"GPU0-cpu0", "cpu0-mlx5_0+mlx5_1"}));
  EXPECT_EQ(GBps(fabric, "cpu0", "mlx5_0+mlx5_1"), 50);
  EXPECT_TRUE(has_note(fabric,
                       "not read: attribute new of <net> (line 1), element <memory> of "
                       "<cpu> (line 1)"));
}

TEST(NcclFiles, refuses_other_files_of_nccl) {
  EXPECT_EQ(refusal_of(kNccl, "<graphs version=\"1\"><graph id=\"0\"/></graphs>"),
            "f: <graphs> are the paths that NCCL found (NCCL_GRAPH_FILE); give the file of "
            "NCCL_TOPO_FILE or NCCL_TOPO_DUMP_FILE");
  EXPECT_EQ(recognise("<graphs version=\"1\"></graphs>", "f").name, kNccl);
}

}  // namespace
}  // namespace weft::format
