// The table of times: remarks, a heading, and a row for each test and size, as comma-separated
// values. `weft calibrate` reads it.
#pragma once

#include <cstdint>
#include <string>

#include "timing.hpp"
#include "world.hpp"

namespace weft::mpi_bench {

/// Of a row; what a test does not have is empty.
struct Row {
  std::string test;  // allreduce, ..., message, copy, reduction
  std::string link_class = {};
  std::string load = {};      // messages on the busiest link of the class
  std::string messages = {};  // "0>1+3>2": those that are under way at once
  std::int64_t size_B = 0;
  Times times = {};
};

/// A schedule next to the MPI's own collective.
struct ComparedRow {
  std::string schedule, collective;
  std::int64_t size_B = 0;  // of one call, after rounding up
  Times times = {}, native = {};
};

/// Gathers rows on the first rank, and writes them at the end, or as they come to standard output.
class TimesTable {
 public:
  /// Called by all ranks. An empty path is standard output; a file is written when finish() is
  /// called, whole or not at all.
  TimesTable(const World& world, const std::string& path);
  void remark(const std::string& text);
  void add(const Row& row);
  void add(const ComparedRow& row);
  /// Called by all ranks; refuses where the file cannot be written.
  void finish();

 private:
  void put(const std::string& text);
  void head(const char* heading);

  World world_;
  std::string path_, text_;
  const char* heading_ = nullptr;  // of the last rows
};

}  // namespace weft::mpi_bench
