// The matrices of GPUs and cards in what nvidia-smi prints, alone or within a report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/import/import_notes.hpp"

namespace weft::format::machines {

/// Where two devices meet, from near to far; nvlink and unknown say nothing of that.
enum class Meeting : std::uint8_t { pix, pxb, phb, node, sys, nvlink, unknown };

struct SmiEntry {
  Meeting meeting = Meeting::unknown;
  std::int64_t nvlinks = 0;  // above 0 for nvlink alone
  friend bool operator==(const SmiEntry&, const SmiEntry&) = default;
};

struct SmiMatrix {
  std::int64_t line = 0;                    // of the first row
  std::vector<std::string> names, labels;   // by device: in the matrix; by the legend
  std::vector<std::vector<SmiEntry>> rows;  // by device
  std::vector<std::int64_t> row_lines;
  std::vector<std::string> sockets;   // by device: NUMA or CPU affinity; empty: unknown
  std::vector<char> has_numa_memory;  // by device: a NUMA node of its own (Grace)

  bool same_machine(const SmiMatrix& other) const {
    return names == other.names && rows == other.rows && sockets == other.sockets;
  }
};

/// Returns true for "GPU0".
bool is_gpu_name(std::string_view name);
/// Returns true if a text has a matrix.
bool has_smi_matrix(std::string_view text);
/// All matrices of nvidia-smi topo -m, in order. Other lines are counted in the log. Throws
/// InvalidInput for broken ones, and where the text has matrices of -p2p alone.
std::vector<SmiMatrix> smi_matrices(std::string_view text, topology::ImportLog& log);
/// The name of a meeting, "PIX".
std::string_view name_of(Meeting meeting);

}  // namespace weft::format::machines
