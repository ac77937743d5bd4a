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
#include <utility>
#include <vector>

#include "options.hpp"
#include "table.hpp"
#include "world.hpp"

namespace weft::mpi_bench {

/// Called by all ranks: each file's schedule is run once and its result checked, then timed.
/// Refuses what is no such file, another number of ranks, and a wrong result.
void run_schedules(const World& world, const Options& options, TimesTable& table);

}  // namespace weft::mpi_bench
