// The command line of weft-bench.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timing.hpp"
#include "world.hpp"

namespace weft::mpi_bench {

struct Options {
  std::string test;  // a collective, links or run
  std::vector<std::string> files = {};
  std::vector<std::int64_t> sizes_B = {};  // empty: the test's own
  std::string topology = {}, pairs = {};   // of links: the expression, or the file of pairs
  std::string output = {};                 // empty: standard output
  Repeat repeat = {};
  /// Of run: what each step of a rank waits before it sends, and between two looks whether messages
  /// are there; 0: the MPI waits as it does.
  double startup_s = 0, doze_s = 0;
};

/// Called by all ranks; refuses what is no such line, with one line of the first rank's.
Options read_options(const World& world, int argc, char** argv);

extern const char* const kHelp;

}  // namespace weft::mpi_bench
