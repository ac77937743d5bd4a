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
  std::vector<std::int64_t> sizes_B = {};  // empty: of run, the file's own
  std::string topology = {}, pairs = {};   // of links: the expression, or the file of pairs
  std::string output = {};                 // empty: standard output
  Repeat repeat = {};
  // Of run.
  bool in_place = false;     // the input may be overwritten, and the native call is MPI_IN_PLACE
  bool check_only = false;   // nothing is timed
  double time_limit_s = 60;  // without progress
  double startup_s = 0;      // that each step of a rank waits before it sends
  double doze_s = 0;         // between two looks for messages; 0: as the MPI waits
};

/// Called by all ranks; refuses what is no such line, with one line of the first rank's.
Options read_options(const World& world, int argc, char** argv);

extern const char* const kHelp;

}  // namespace weft::mpi_bench
