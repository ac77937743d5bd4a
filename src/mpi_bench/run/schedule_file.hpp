// A schedule as weft testbed compare writes it for one size: what each rank sends and receives in
// each step.
//
//   weft-run 1
//   collective allreduce
//   name ring
//   ranks 4
//   bytes 1048576                 of each rank's row of blocks
//   size 1048576                  what one call is given
//   rank 0
//   send 0 1 0+262144             in step 0 to rank 1 the bytes from 0 on; several runs of bytes
//   reduce 0 3 786432+262144      are joined by commas; receive or reduce: from a rank
//
// As isend, irecv and waitall for each step: sends read what was there before the step.
#pragma once

#include <cstdint>
#include <string>

#include "../options.hpp"
#include "../table.hpp"
#include "../world.hpp"

namespace weft::mpi_bench {

/// Whether the text begins as such a schedule does.
bool is_testbed_schedule(const std::string& text);

/// Called by all ranks: the schedule is run once and its result checked, then timed. Refuses what
/// is no such text, another number of ranks, and a wrong result.
void run_schedule(const World& world, const std::string& text, const std::string& path,
                  const Options& options, TimesTable& table);

}  // namespace weft::mpi_bench
