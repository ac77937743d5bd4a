// Machines of hwloc with accelerators, adapters of several devices, and several machines in one
// file. The texts are ours; what is right follows from hwloc's manual and hwloc2.dtd.
#include <gtest/gtest.h>

#include "support/fabrics.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::class_of;
using test::GBps;
using test::refusal_of;

constexpr const char* kHwloc = "hwloc";
using Cables = std::multiset<std::string>;

ImportedFabric import(const std::string& text, topology::ImportOptions options = {}) {
  return find_format(kHwloc).read_fabric({text, "f", {}, std::move(options)});
}

TEST(HwlocFiles, joins_no_machines_by_itself) {
  const std::string text = read_file(test::source_dir() + "/tests/data/cases/hwloc-system.xml");
  EXPECT_EQ(refusal_of(kHwloc, text),
            "f: the file has 2 machines, alpha (2 cores), beta (1 core), without a connection; "
            "choose one with --part alpha, or join all with --join");
  EXPECT_EQ(cables_of(import(text, {.part = "alpha"}).network.topology),
            (Cables{"core0-package0", "core1-package0"}));
  EXPECT_THROW(import(text, {.part = "gamma"}), InvalidInput);
}

const std::string kBox =
    "<topology version='2.0'><object type='Machine'>"
    "<object type='Package'><object type='Core'/><object type='Core'/>\n"
    "<object type='Bridge' pci_link_speed='31.5'>"
    "<object type='PCIDev' pci_type='0302 [10de:20b0] [10de:134f] a1' pci_link_speed='15.75'>"
    "<object type='OSDev' name='card1' osdev_type='1'/>"
    "<object type='OSDev' name='cuda0' osdev_type='5'/>"
    "<object type='OSDev' name='nvml0' osdev_type='1'/></object>"
    "<object type='PCIDev' pci_type='1200 [1002:740f] [1002:0c34] 02' pci_link_speed='15.75'/>"
    "<object type='PCIDev' pci_type='0300 [1a03:2000] [1a03:2000] 41'>"
    "<object type='OSDev' name='card0' osdev_type='1'/></object>"
    "<object type='PCIDev' pci_type='0207 [15b3:101b] [15b3:0007] 00' pci_link_speed='31.5'>"
    "<object type='OSDev' name='ib0' osdev_type='2'/>"
    "<object type='OSDev' name='ib1' osdev_type='2'/>"
    "<object type='OSDev' name='mlx5_0' osdev_type='3'/></object></object>"
    "</object></object></topology>";

// Three devices of one adapter are one card; a board's own display is no accelerator.
TEST(HwlocFiles, counts_adapters_and_accelerators) {
  const ImportedFabric fabric = import(kBox);
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"core0-package0", "core1-package0", "mlx5_0-package0"}));
  EXPECT_TRUE(std::ranges::any_of(fabric.remarks, [](const topology::ImportNote& note) {
    return note.text.starts_with(
        "2 GPUs (cuda0, ...) left out, because cores are the hosts; --part");
  }));
  std::string three = kBox;
  three.replace(three.find("name='mlx5_0' osdev_type='3'"), 28, "name='ib2' osdev_type='2'");
  EXPECT_EQ(cables_of(import(three).network.topology),
            (Cables{"core0-package0", "core1-package0", "ib0-package0"}));
}

TEST(HwlocFiles, makes_accelerators_the_hosts_where_asked) {
  const ImportedFabric fabric = import(kBox, {.part = "gpus"});
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(topology.hosts().size(), 2u);
  EXPECT_EQ(cables_of(topology), (Cables{"bridge0-cuda0", "bridge0-gpu1", "bridge0-mlx5_0"}));
  EXPECT_EQ(GBps(fabric, "cuda0", "bridge0"), 15.75);
  EXPECT_EQ(class_of(topology, "mlx5_0", "bridge0"), "card");
  EXPECT_EQ(refusal_of(kHwloc, "<topology><object type='Core'/></topology>").substr(0, 17),
            "f has 1 device bu");
}

TEST(HwlocFiles, counts_what_later_releases_add) {
  const ImportedFabric fabric = import(
      "<topology version='3.0'><object type='Machine'><object type='Core'/>"
      "<object type='Core'/><future x='1'/></object></topology>");
  EXPECT_EQ(fabric.remarks.back().text, "not read: element <future> of <object> (line 1)");
}

}  // namespace
}  // namespace weft::format
