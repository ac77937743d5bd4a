// One run of nccl-tests: who took part and what was measured, however it was written.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weft/calibrate/table_lines.hpp"

namespace weft::calibrate {

struct NcclProgram {
  std::string_view name;  // of the program, without _perf
  CollectiveKind kind;
};
/// The program whose name is in the text, null where none is.
const NcclProgram* nccl_program_in(std::string_view text);
/// The program that a file is named after, "nccl_allgather.log" or "all_gather_perf.txt".
const NcclProgram* nccl_program_named(std::string_view path);

struct NcclRow {
  std::int64_t line = 0;  // 0: none is known
  std::int64_t size_B = 0;
  double time_s = 0, algbw_GBps = 0, busbw_GBps = 0;
  double rounding_GBps = 0;  // of either rate, at most
  bool reduces = false;
  bool has_root = false;
};

struct NcclRun {
  const NcclProgram* named = nullptr;          // null: no line says
  std::set<std::int64_t> ranks;                // of the devices
  std::map<std::int64_t, std::string> groups;  // by rank, where its device's line names one
  std::vector<std::string> hosts;              // of devices whose lines name them
  bool repeated = false;                       // a rank or a heading is there twice
  std::vector<NcclRow> rows;

  /// All rates are those of one rank alone, which sends nothing.
  bool is_alone() const;
};

/// The run's table. Throws InvalidInput where the rates are those of other ranks, of several groups
/// at once, or of processes that ran alone.
MeasuredTable table_of(const NcclRun& run, const std::string& path);

}  // namespace weft::calibrate
