// Summaries of HLC-Lab/pico; see forced_points.hpp.
#pragma once

#include "weft/calibrate/profile/csv_table.hpp"
#include "weft/calibrate/profile/forced_points.hpp"

namespace weft::calibrate {

/// By its columns.
bool is_pico_table(const CsvTable& table);
/// Times of each iteration, highest[,rank0,rank1,...]: no collective stands in such a file.
bool is_pico_iterations(const CsvTable& table);

/// Throws InvalidInput with file and line.
ForcedTable read_pico_points(std::string_view text, const std::string& path);

}  // namespace weft::calibrate
