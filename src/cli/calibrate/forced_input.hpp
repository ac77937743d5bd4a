// Tables of forced algorithms as weft calibrate takes them: CSV files, summaries of pico, and
// tables of benchmarks whose algorithm follows the file's name or from a library's rules.
#pragma once

#include <string>
#include <vector>

#include "cli/calibrate/fit_profile.hpp"
#include "weft/calibrate/profile/forced_points.hpp"

namespace weft::cli {

/// Whether each file is a table of forced algorithms, or a table of a benchmark with the algorithm
/// behind it, FILE:ALGORITHM; false where none is. Throws InvalidInput where only some are.
bool are_forced_tables(const std::vector<std::string>& files);

/// The points of all files. Throws InvalidInput with file and line.
calibrate::ForcedTable read_forced_tables(const ProfileCommand& command);

}  // namespace weft::cli
