// Summaries of HLC-Lab/pico; see forced_points.hpp.
#pragma once

#include "weft/question/profile/csv_columns.hpp"
#include "weft/question/profile/forced_points.hpp"

namespace weft::question {

bool is_pico_table(const Columns& columns);

/// Throws InvalidInput with file and line.
ForcedTable read_pico_points(std::string_view text, const std::string& path);

}  // namespace weft::question
