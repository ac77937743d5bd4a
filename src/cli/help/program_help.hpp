// The help of the program as a whole.
#pragma once

#include <string>

#include "cli/options/command_line.hpp"

namespace weft::cli {

/// What `weft --help` prints: the commands by heading, one whole line each.
std::string help_of(const CommandLine& program, int columns);

/// What `weft` prints: the commands that most people need, and where to read on.
std::string first_words();

}  // namespace weft::cli
