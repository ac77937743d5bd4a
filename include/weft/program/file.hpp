// Program files (.weft too): programs that are written out, compact, versioned, checksummed; see
// docs/reference/schedule-files.md for the layout.
#pragma once

#include <string>
#include <string_view>

#include "weft/program/program.hpp"

namespace weft::program {

/// The bytes of the file; a generated program is written out first. What it was proved to do is
/// not written: a file is only a claim. O(operations).
std::string encode(const Program& program);

/// Reads what encode() writes; `name` is the file's, for messages. Every count is held against the
/// bytes that are left before anything is made of that size. Throws InvalidInput for what is no
/// such file, truncated, damaged, or no program that can run.
Program decode(std::string_view bytes, std::string_view name);

/// Whether the bytes begin as those of a program file do.
bool is_program_file(std::string_view bytes);

}  // namespace weft::program
