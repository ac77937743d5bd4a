// What nvidia-smi topo prints, within reports and on other machines. The texts are ours, after
// public reports; what is right follows from the legend that the tool prints.
#include <gtest/gtest.h>

#include "support/fabrics.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::GBps;
using test::import;
using test::refusal_of;

constexpr const char* kSmi = "nvidia-smi-topo";
using Cables = std::multiset<std::string>;

std::string text_of(const std::string& name) {
  return read_file(test::source_dir() + "/tests/data/cases/" + name);
}

bool has_note(const ImportedFabric& fabric, std::string_view part) {
  return std::ranges::any_of(fabric.remarks, [&](const topology::ImportNote& note) {
    return note.text.find(part) != std::string::npos;
  });
}

ImportedFabric import_part(const std::string& text, const std::string& part) {
  return find_format(kSmi).read_fabric({text, "f", {}, {.part = part}});
}

// Two GPUs a Grace, each a NUMA node of its own: Blackwell, whose NVLinks have 50 GB/s.
TEST(SmiReports, reads_sockets_of_grace_from_their_columns) {
  const std::string text = text_of("gb200.txt");
  EXPECT_EQ(recognise(text, "f").name, kSmi);
  const ImportedFabric fabric = import(kSmi, text);
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-NVSwitch", "GPU1-NVSwitch", "GPU2-NVSwitch", "GPU3-NVSwitch",
                    "GPU0-numa0", "GPU1-numa0", "GPU2-numa1", "GPU3-numa1", "numa0-numa1"}));
  EXPECT_EQ(GBps(fabric, "GPU0", "NVSwitch"), 900);
  EXPECT_TRUE(has_note(fabric, "the matrix has no paths over PCI; its processor columns show"));
  EXPECT_TRUE(has_note(fabric, "50 GB/s"));
}

// Virtual machines say N/A: no socket is invented.
TEST(SmiReports, invents_no_sockets_where_none_are_known) {
  const ImportedFabric fabric = import(kSmi,
                                       "\tGPU0\tGPU1\tGPU2\tCPU Affinity\tNUMA Affinity\n"
                                       "GPU0\t X \tNV18\tNV18\tN/A\tN/A\n"
                                       "GPU1\tNV18\t X \tNV18\tN/A\tN/A\n"
                                       "GPU2\tNV18\tNV18\t X \tN/A\tN/A\n");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-NVSwitch", "GPU1-NVSwitch", "GPU2-NVSwitch"}));
  EXPECT_EQ(GBps(fabric, "GPU0", "NVSwitch"), 450);
  EXPECT_TRUE(has_note(fabric, "the matrix has no paths over PCI, so only NVLinks connect the"));
  // GPUs of one processor that meet at SYS share its socket; two sockets, one cable.
  EXPECT_EQ(cables_of(import(kSmi,
                             "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\tNUMA Affinity\n"
                             "GPU0\t X \tSYS\tSYS\tSYS\t0-7\t0\nGPU1\tSYS\t X \tSYS\tSYS\t0-7\t0\n"
                             "GPU2\tSYS\tSYS\t X \tSYS\t8-15\t1\nGPU3\tSYS\tSYS\tSYS\t X "
                             "\t8-15\t1\n")
                          .network.topology),
            (Cables{"GPU0-numa0", "GPU1-numa0", "GPU2-numa1", "GPU3-numa1", "numa0-numa1"}));
}

// Cards of Grace meet all at SYS, and have no column of processors: nothing says where they are.
TEST(SmiReports, puts_cards_that_meet_all_at_sys_in_one_place) {
  const ImportedFabric fabric = import(kSmi,
                                       "\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\n"
                                       "GPU0\t X \tNV18\tSYS\tSYS\t0-71\t0\n"
                                       "GPU1\tNV18\t X \tSYS\tSYS\t72-143\t1\n"
                                       "NIC0\tSYS\tSYS\t X \tSYS\t\t\n"
                                       "NIC1\tSYS\tSYS\tSYS\t X \t\t\n");
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-GPU1", "GPU0-socket0", "GPU1-socket1", "NIC0-socket2", "NIC1-socket2",
                    "socket0-socket1", "socket0-socket2", "socket1-socket2"}));
  EXPECT_TRUE(has_note(fabric, "meet all others at SYS, and the matrix does not show where; one"));
}

TEST(SmiReports, reads_the_matrix_inside_a_report) {
  const std::string text = text_of("nvsmi-in-report.txt");
  EXPECT_EQ(recognise(text, "f").name, kSmi);
  const ImportedFabric fabric = import(kSmi, text);
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"GPU0-bridge0", "GPU1-bridge0", "bridge0-mlx5_0"}));
  EXPECT_TRUE(has_note(fabric, "not read: line outside of the matrix (3 times, first on line 1)"));
}

const std::string kOne =
    "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tPIX\t0-7\nGPU1\tPIX\t X \t0-7\n\nLegend:\n\n  X    = "
    "Self\n";

TEST(SmiReports, takes_one_of_several_matrices) {
  EXPECT_TRUE(has_note(import(kSmi, kOne + kOne), "the matrix is there 2 times"));
  std::string other = kOne;
  for (std::size_t at = 0; (at = other.find("PIX")) != std::string::npos;)
    other.replace(at, 3, "SYS");
  EXPECT_EQ(refusal_of(kSmi, "n1:\n" + kOne + "n2:\n" + other),
            "f: 2 different matrices, matrix1 (line 2, 2 GPUs), matrix2 (line 10, 2 GPUs); "
            "choose one with --part matrix1, or give each machine its own file");
  EXPECT_EQ(cables_of(import_part(kOne + other, "matrix1").network.topology),
            (Cables{"GPU0-pcie0", "GPU1-pcie0"}));
}

// As wide matrices are pasted, and with columns of two tabs that are no NUMA nodes of GPUs.
TEST(SmiReports, reads_entries_without_blanks_and_columns_of_two_tabs) {
  const ImportedFabric glued = import(kSmi,
                                      "\tGPU0\tGPU1\tGPU2\tCPU Affinity\n"
                                      "GPU0\t X \tNV4SYS\t0-7\nGPU1\tNV4\t X \tSYS\t0-7\n"
                                      "GPU2\tSYSSYS\t X \t8-15\n");
  EXPECT_EQ(cables_of(glued.network.topology),
            (Cables{"GPU0-GPU1", "GPU0-numa0", "GPU1-numa0", "GPU2-socket0", "numa0-socket0"}));
  EXPECT_TRUE(has_note(glued, "read one by one"));
  const ImportedFabric tabs = import(kSmi,
                                     "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
                                     "GPU0\t X \tNV4\t0-31\t\t0\nGPU1\tNV4\t X \t0-31\t\t0\n");
  EXPECT_EQ(GBps(tabs, "GPU0", "GPU1"), 100);
}

TEST(SmiReports, reads_what_launchers_label) {
  std::string labelled = "0: ";
  for (const char c : kOne) {
    labelled += c;
    if (c == '\n') labelled += "0: ";
  }
  EXPECT_EQ(cables_of(import(kSmi, labelled).network.topology),
            (Cables{"GPU0-pcie0", "GPU1-pcie0"}));
}

TEST(SmiReports, names_other_matrices_for_what_they_are) {
  const std::string access =
      " \tGPU0\tGPU1\t\n GPU0\tX\tOK\t\n GPU1\tOK\tX\t\n\nLegend:\n\n  X    = Self\n  OK   = "
      "Status "
      "Ok\n";
  EXPECT_EQ(refusal_of(kSmi, access),
            "f:1: the file is the matrix of nvidia-smi topo -p2p, which shows memory access, not "
            "links; give that of nvidia-smi topo -m");
  EXPECT_EQ(cables_of(import(kSmi, access + kOne).network.topology),
            (Cables{"GPU0-pcie0", "GPU1-pcie0"}));
  const std::string amd =
      "======== ROCm System Management Interface ========\n"
      "======== Weight between two GPUs ========\n       GPU0         GPU1\nGPU0   0            "
      "52\n"
      "GPU1   52           0\n";
  EXPECT_EQ(recognise(amd, "f").name, kSmi);
  EXPECT_EQ(refusal_of(kSmi, amd),
            "f: the file is the output of rocm-smi --showtopo or amd-smi topology, which has no "
            "links and speeds; give the file that RCCL writes with NCCL_TOPO_DUMP_FILE");
}

}  // namespace
}  // namespace weft::format
