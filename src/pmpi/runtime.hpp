// Runtime: what a process holds from MPI_Init to MPI_Finalize.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "pmpi/mpi/mpi_table.hpp"
#include "pmpi/settings.hpp"
#include "weft/plan_reader/mapped_plan.hpp"

namespace weft::pmpi {

struct Runtime {
  Settings settings;
  std::unique_ptr<plan::MappedPlan> plan;  // none: calls are counted alone
  MPI_Comm wire = {};                      // of our own, of all ranks of MPI_COMM_WORLD
  int rank = 0, size = 0;                  // there
  bool yields = false;                     // while it waits
  std::vector<std::string> hosts;          // by rank; only where the plan has names
  int keyval = 0;
  std::atomic<int> next_number = 0;  // of tags that this rank draws
  int most_tag = 32767;
};

/// All ranks open the plan and agree on it, right after MPI_Init. Where one cannot, or has another
/// one, nobody runs it, and one of them says why.
void begin();
/// Before MPI_Finalize: statistics and the profile, and nothing is left to MPI.
void end();

}  // namespace weft::pmpi
