// Measurements made anew: what rows of kind testbed ask for, run in testbeds of this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "weft/rows/row.hpp"

namespace weft::cli {

/// Why no testbed can be had here (no root, a kernel without namespaces, no MPI), in a line;
/// nothing where one can, which is tried.
std::optional<std::string> why_no_testbed();

/// Measures the calls of these rows, of kind testbed, that the file lacks, and adds them to it, one
/// network after the other, so that what is broken off goes on where it was. Says on the error
/// stream what it is about. Returns the exit code where it was broken off. Throws InvalidInput for
/// schedules that no MPI can run and files that cannot be written.
std::optional<int> measure_anew(const std::vector<rows::Row>& rows, const std::string& path,
                                Streams& streams);

}  // namespace weft::cli
