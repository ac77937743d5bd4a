// The text of --help and --help-all.
//
// The help of a command has the summary, the usage, the positional arguments, its options under
// headings, then notes and examples. An option is a block: its names and the kind of its value two
// blanks in, its description in a column at the right. Tools read this format: the man pages, the
// reference and the completions are made from it.
#pragma once

#include <cstddef>
#include <string>

#include "cli/options/command_line.hpp"

namespace weft::cli {

/// Returns the help of a command, in lines of up to `columns` characters; commands are not broken.
std::string help_of(const Command& command, HelpRange range, int columns);

/// Adds a name, and its text in the column at its right, or below it where the name is long.
void add_entry(const std::string& name, const std::string& text, std::size_t column, int columns,
               std::string& help);
/// Adds lines of prose; those that begin with a blank stay as they are.
void add_prose(const std::string& text, int columns, std::string& help);

}  // namespace weft::cli
