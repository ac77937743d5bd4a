// Which tables of measured times some files hold.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/calibrate/measured_table.hpp"

namespace weft::cli {

/// A line a table: file, benchmark, ranks, sizes, least and largest time; the remarks as notes.
int print_tables(std::span<const calibrate::MeasuredTable> tables,
                 const std::vector<std::string>& remarks, const OutputOptions& common,
                 Streams& streams);

}  // namespace weft::cli
