// Machines of nvidia-smi and hwloc. tests/oracle/importers_test.py holds the latter against lstopo.
#include <gtest/gtest.h>

#include "support/fabrics.hpp"
#include "weft/network/default_routing.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::class_of;
using test::example;
using test::GBps;
using test::import;
using test::refusal_of;

constexpr const char* kSmi = "nvidia-smi-topo";
constexpr const char* kHwloc = "hwloc";
using Cables = std::multiset<std::string>;

// By the legend: GPU0, GPU1 and NIC0 meet below a host bridge, the two sides at SYS alone. Three
// times 12 NVLinks are more than the 12 of an A100: an NVSwitch.
TEST(NvidiaSmi, reads_the_tree_that_the_matrix_comes_of) {
  const std::string text = example("nvidia-smi-topo.txt");
  EXPECT_EQ(recognise(text, "f").name, kSmi);
  const ImportedFabric fabric = import(kSmi, text);
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-NVSwitch", "GPU1-NVSwitch", "GPU2-NVSwitch", "GPU3-NVSwitch",
                    "GPU0-pcie-tree0", "GPU1-pcie-tree0", "mlx5_0-pcie-tree0", "GPU2-pcie-tree1",
                    "GPU3-pcie-tree1", "mlx5_1-pcie-tree1", "pcie-tree0-pcie-tree1"}));
  EXPECT_EQ(GBps(fabric, "GPU0", "NVSwitch"), 300);  // A100: 600 GB/s both ways
  EXPECT_EQ(class_of(fabric.network.topology, "GPU0", "NVSwitch"), "nvlink-x12");
  EXPECT_EQ(class_of(fabric.network.topology, "mlx5_0", "pcie-tree0"), "card");
  EXPECT_EQ(class_of(fabric.network.topology, "pcie-tree0", "pcie-tree1"), "sys");
  // GPU0 reaches GPU1 by two links over NVLink and over PCIe: no message is split over both.
  EXPECT_EQ(network::default_routing(fabric.network.topology), "widest-split");
}

// NV4 to each of three others are the twelve of an A100: cables.
TEST(NvidiaSmi, tells_meshes_from_switches) {
  const ImportedFabric fabric = import(kSmi,
                                       "\x1b[4m\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\x1b[0m\n"
                                       "GPU0\t X \tNV4\tNV4\tNV4\t0-7\t0\n"
                                       "GPU1\tNV4\t X \tNV4\tNV4\t0-7\t0\n"
                                       "GPU2\tNV4\tNV4\t X \tNV4\t8-15\t1\n"
                                       "GPU3\tNV4\tNV4\tNV4\t X \t8-15\t1\n");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-GPU1", "GPU0-GPU2", "GPU0-GPU3", "GPU1-GPU2", "GPU1-GPU3", "GPU2-GPU3",
                    "GPU0-numa0", "GPU1-numa0", "GPU2-numa1", "GPU3-numa1", "numa0-numa1"}));
  EXPECT_EQ(GBps(fabric, "GPU0", "GPU3"), 100);
}

// Old releases say SOC for SYS and name cards in the first row.
TEST(NvidiaSmi, reads_old_matrices_and_nested_bridges) {
  const ImportedFabric fabric = import(kSmi,
                                       "\tGPU0\tGPU1\tGPU2\tmlx5_0\tCPU Affinity\n"
                                       "GPU0\t X \tPIX\tPHB\tSOC\t0-7\n"
                                       "GPU1\tPIX\t X \tPHB\tSOC\t0-7\n"
                                       "GPU2\tPHB\tPHB\t X \tSOC\t0-7\n"
                                       "mlx5_0\tSOC\tSOC\tSOC\t X \t\n");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-pcie0", "GPU1-pcie0", "bridge0-pcie0", "GPU2-bridge0", "mlx5_0-socket0",
                    "bridge0-socket0"}));
}

TEST(NvidiaSmi, refuses_broken_matrices) {
  const auto why = [](const std::string& rows) {
    return refusal_of(kSmi, "\tGPU0\tGPU1\tCPU Affinity\n" + rows);
  };
  EXPECT_EQ(why("GPU0\t X \tNV2\nGPU1\tNV1\t X \n"),
            "f:3: GPU1 and GPU0 have another value in line 2; the file may be edited");
  EXPECT_EQ(why("GPU0\t X \tFAR\nGPU1\tFAR\t X \n"),
            "f:2: unknown entry 'FAR' (expected X, NV1 to NV144, PIX, PXB, PHB, NODE or SYS)");
  EXPECT_EQ(why("GPU0\t X \nGPU1\tNV1\t X \n"), "f:2: GPU0 has 1 entries for 2 devices");
  EXPECT_EQ(why("GPU0\t X \tNV1\n"),
            "f:2: the file ends before the row of GPU1; it may be truncated");
  EXPECT_EQ(why("GPU1\t X \tNV1\n"), "f:2: unexpected 'GPU1' in place of the row of GPU0");
  EXPECT_EQ(why("GPU0\tNV1\tNV1\n").substr(0, 48),
            "f:2: NV1 is in the column of GPU0, but X is only");
  const std::string one = "\tGPU0\tGPU1\nGPU0\t X \tPIX\nGPU1\tPIX\t X \n";
  EXPECT_EQ(refusal_of(kSmi, one + "\nLegend:\n\n  X    = Self\n"), "(accepted)");
  EXPECT_EQ(refusal_of(kSmi, "nothing").substr(0, 24), "f has no row of GPU0 and");
}

// PCI is a tree: two that meet a third at one bridge meet there as well. NVLinks hide where.
TEST(NvidiaSmi, refuses_meetings_that_no_tree_has) {
  const auto why = [](const std::string& row0, const std::string& row1, const std::string& row2) {
    return refusal_of(kSmi, "\tGPU0\tGPU1\tGPU2\nGPU0\t X " + row0 + "\nGPU1\t" + row1 +
                                "\nGPU2\t" + row2 + "\tX\n");
  };
  EXPECT_EQ(why("\tPIX\tSYS", "PIX\tX\tPIX", "SYS\tPIX"),
            "f:4: GPU2 and GPU0 meet at SYS, but both meet GPU1 at PIX or nearer, so they would "
            "meet there; the file may be edited");
  EXPECT_EQ(why("\tPIX\tPHB", "PIX\tX\tNODE", "PHB\tNODE").substr(0, 30),
            "f:4: GPU2 and GPU1 meet at NOD");
  EXPECT_EQ(why("\tPIX\tSYS", "PIX\tX\tSYS", "SYS\tSYS"), "(accepted)");
  EXPECT_EQ(why("\tNV4\tPIX", "NV4\tX\tSYS", "PIX\tSYS"), "(accepted)");
  EXPECT_EQ(why("\tNV4\tPIX", "NV4\tX\tPIX", "PIX\tPIX"), "(accepted)");
}

TEST(Hwloc, reads_cores_and_what_joins_them) {
  const std::string text = example("hwloc.xml");
  EXPECT_EQ(recognise(text, "f").name, kHwloc);
  const ImportedFabric fabric = import(kHwloc, text);
  EXPECT_EQ(
      cables_of(fabric.network.topology),
      (Cables{"core0-l3-0", "core1-l3-0", "core2-l3-1", "core3-l3-1", "core4-l3-2", "core5-l3-2",
              "core6-l3-3", "core7-l3-3", "l3-0-package0", "l3-1-package0", "l3-2-package1",
              "l3-3-package1", "mlx5_0-package0", "machine0-package0", "machine0-package1"}));
  EXPECT_EQ(class_of(fabric.network.topology, "core0", "l3-0"), "l3");
  EXPECT_EQ(class_of(fabric.network.topology, "mlx5_0", "package0"), "card");
  EXPECT_NEAR(GBps(fabric, "mlx5_0", "package0"), 15.753846, 1e-6);  // the slower part
}

// Version 1: caches say their depth, NUMA nodes hold their packages.
TEST(Hwloc, reads_version_1) {
  const ImportedFabric fabric =
      import(kHwloc,
             "<topology><object type='Machine'>"
             "<object type='NUMANode'><object type='Socket'><object type='Cache' depth='2'>"
             "<object type='PU'/><object type='PU'/></object></object></object>"
             "<object type='NUMANode'><object type='PU'/></object></object></topology>");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"l2-0-pu0", "l2-0-pu1", "l2-0-machine0", "machine0-pu2"}));
}

TEST(Hwloc, refuses_what_is_no_machine) {
  EXPECT_EQ(refusal_of(kHwloc, "<topology><object type='Machine'/></topology>").substr(0, 15),
            "f has no cores;");
  EXPECT_EQ(refusal_of(kHwloc, "<topology>\n<object/></topology>"), "f:2: <object> has no type");
  EXPECT_EQ(refusal_of(kHwloc,
                       "<topology><object type='Core'/>\n<object type='PCIDev' "
                       "pci_link_speed='fast'><object type='OSDev' name='eth0' "
                       "osdev_type='2'/></object></topology>"),
            "f:2: pci_link_speed 'fast' is not a number of GB/s");
}

// 1 << 2 is a GPU, 1 << 4 a network interface, which of InfiniBand's has 1 << 5, too: hwloc.h
// of 3.0.
TEST(Hwloc, kinds_of_devices_are_bits_since_version_3) {
  const auto machine = [](const char* version, int eth, int ib) {
    return fmt::format(
        "<topology version='{}'><object type='Machine'><object type='Core'/>\n"
        "<object type='PCIDev'><object type='OSDev' name='eth0' osdev_type='{}'/></object>\n"
        "<object type='PCIDev'><object type='OSDev' name='ib0' osdev_type='{}'/>"
        "<object type='OSDev' name='mlx5_0' osdev_type='{}'/></object></object></topology>",
        version, eth, eth, ib);
  };
  const Cables cards{"core0-machine0", "eth0-machine0", "machine0-mlx5_0"};
  EXPECT_EQ(cables_of(import(kHwloc, machine("2.0", 2, 3)).network.topology), cards);
  EXPECT_EQ(cables_of(import(kHwloc, machine("3.0", 16, 48)).network.topology), cards);
  EXPECT_EQ(refusal_of(kHwloc, machine("new", 2, 3)), "f:1: version 'new' is not a number");
  std::string without = machine("2.0", 2, 3);
  without.replace(without.find("osdev_type='2'"), 14, "osdev='2'");
  EXPECT_EQ(refusal_of(kHwloc, without), "f:2: the device has no osdev_type, which gives its kind");
}

// By hwloc2.dtd; attributes grow with versions.
TEST(Hwloc, refuses_what_would_hold_devices_and_is_not_known) {
  const auto why = [](const std::string& inner) {
    return refusal_of(
        kHwloc,
        "<topology version='3.0'><object type='Machine' new='1'>\n"
        "<page_type size='4096' count='1'/><info name='a' value='b'/>"
        "<userdata length='1'>text</userdata><object type='Core'/><object type='Core'/>\n" +
            inner +
            "</object><support name='a'/><cpukind cpuset='1'><info name='a' "
            "value='b'/></cpukind><distances2 nbobjs='1'><indexes>1</indexes>"
            "</distances2><memattr name='a' flags='1'/></topology>");
  };
  EXPECT_EQ(why(""), "(accepted)");
  EXPECT_EQ(why("<object type='Pakage'><object type='Core'/></object>"),
            "f:3: unknown type 'Pakage' of hwloc; did you mean Package?");
  EXPECT_EQ(why("<objct type='Core'/>"),
            "f:3: unexpected <objct> in <object>; did you mean object?");
}

}  // namespace
}  // namespace weft::format
