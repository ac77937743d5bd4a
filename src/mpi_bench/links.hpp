// What tells the classes of a network's links apart: messages between pairs of ranks, alone and
// several on a link, and what a host's memory does: copies and reductions.
#pragma once

#include "options.hpp"
#include "table.hpp"

namespace weft::mpi_bench {

/// Called by all ranks. The pairs are those that `weft calibrate --pairs` names for the topology,
/// or the file's.
void measure_links(const World& world, const Options& options, TimesTable& table);

}  // namespace weft::mpi_bench
