// The help of the program as a whole.
#pragma once

#include <string>

#include "cli/options/command_line.hpp"

namespace weft::cli {

/// Returns the text of `weft --help`: the commands by heading, one whole line each.
std::string help_of(const CommandLine& program, int columns);

/// Returns the text of `weft` without arguments: the most used commands, and where to read on.
std::string first_words();

}  // namespace weft::cli
