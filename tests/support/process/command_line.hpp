// The program, called as a function: what it printed, and its exit code. Only for programs that
// link weft_cli.
#pragma once

#include <string>
#include <vector>

#include "support/process/scratch_folder.hpp"

namespace weft::test {

struct Ran {
  int code = 0;
  std::string out, err;
};

/// weft ARGUMENTS... Standard input and descriptors are this process's own.
Ran run_weft(const std::vector<std::string>& arguments);

/// The words of a line, split at blanks; "..." and '...' keep theirs, as in a shell.
std::vector<std::string> words_of(const std::string& line);

std::string read_text(const std::string& path);

}  // namespace weft::test
