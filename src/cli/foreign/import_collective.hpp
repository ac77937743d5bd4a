// weft import of a file that holds one collective.
#pragma once

#include <string>

#include "cli/options/options.hpp"
#include "weft/format/format.hpp"

namespace weft::cli {

/// Writes what the file holds to `output`: its schedule, or a program if no schedule can say the
/// same, with a note. kNo, and nothing written, for a file that does not do what it says.
int import_collective(const format::Format& format, const format::ProgramSource& source,
                      const std::string& output, const OutputOptions& common, Streams& streams);

}  // namespace weft::cli
