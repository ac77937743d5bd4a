// Which tables of measured times some files hold.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"
#include "weft/calibrate/measured_table.hpp"

namespace weft::cli {

/// Tables of measured times, and what was left out of them.
struct ReadTables {
  std::span<const calibrate::MeasuredTable> tables;
  const std::vector<std::string>& remarks;
};
answer::Parts<ReadTables> read_tables_parts();

/// A line a table: file, benchmark, ranks, sizes, least and largest time; the remarks as notes.
int print_tables(const ReadTables& read, const OutputOptions& common, Streams& streams);

}  // namespace weft::cli
