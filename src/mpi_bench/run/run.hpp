// weft-bench run: performs schedules and programs that weft wrote or read, checks every rank's
// result against the MPI's own collective, and times both.
#pragma once

#include "../options.hpp"
#include "../table.hpp"
#include "../world.hpp"

namespace weft::mpi_bench {

/// Runs each file: a weft-run text, one of weft testbed compare, or what `weft export` translates
/// into such a text. Called by all ranks. Ends with code 2 for a file that cannot be run on these
/// ranks, and with code 1 for one that has another result than the MPI, or that hangs.
void run_files(const World& world, const Options& options, TimesTable& table);

}  // namespace weft::mpi_bench
