// What weft-bench asks the program `weft`, which lies beside it or else on the path, and files that
// the first rank reads for all.
#pragma once

#include <string>
#include <vector>

#include "world.hpp"

namespace weft::mpi_bench {

struct WeftAnswer {
  int code = 0;        // its exit code; 127 where there is no such program
  std::string output;  // what it printed; its errors go where weft-bench's go
};

/// Runs `weft WORDS...` on the first rank; all ranks have the answer. Called by all of them.
WeftAnswer ask_weft(const World& world, const std::vector<std::string>& words);

/// The file's text; refuses where it cannot be read. Called by all ranks.
std::string text_of_file(const World& world, const std::string& path);

}  // namespace weft::mpi_bench
