// Files that commands read, where - is standard input, which can be read only once.
#pragma once

#include <functional>
#include <string>

#include "weft/format/format.hpp"

namespace weft::cli {

/// How messages call the file: its path, or "standard input".
std::string name_of_file(const std::string& path);

/// For format::ProgramSource::read: reads the file, under its name, when it is first asked for and
/// keeps the text. It reads other files, which a source may name, from their paths.
std::function<std::string(const std::string& path)> reader_of(const std::string& path);

/// Proves the schedule in a file with these bytes; see load_verified() of cli/options/options.hpp.
Verified verified_in(const std::string& bytes, const std::string& name);

}  // namespace weft::cli
