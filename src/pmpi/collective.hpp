// Collective: one call of the user's, and whether and how the plan runs it.
#pragma once

#include <cstdint>

#include "pmpi/communicator.hpp"
#include "pmpi/decision.hpp"
#include "pmpi/mpi/mpi_table.hpp"
#include "weft/plan_reader/mapped_plan.hpp"

namespace weft::pmpi {

/// The arguments; what a collective has not stays as it is.
struct Call {
  plan::Kind kind = plan::Kind::allreduce;
  const char* name = "";  // "MPI_Allreduce"
  const void* in = nullptr;
  std::int64_t in_count = 0;
  MPI_Datatype in_type = mpi().type_null;
  void* out = nullptr;
  std::int64_t out_count = 0;
  MPI_Datatype out_type = mpi().type_null;
  MPI_Op op = mpi().op_null;
  int root = 0;
  const int* counts = nullptr;     // of what is received, or reduced, where blocks differ
  const int* places = nullptr;     // of blocks that are received, in elements of out_type
  const int* in_counts = nullptr;  // of what an alltoallv sends, and where, in elements of in_type
  const int* in_places = nullptr;

  bool in_place() const { return in == MPI_IN_PLACE || out == MPI_IN_PLACE; }
};

/// What is run. The same on all ranks: it follows from bytes, the operation and the root, never
/// from how data lies. It holds until the next call on the communicator, which keeps those of calls
/// whose handles mean the same for ever.
const Decision& decide(Communicator& communicator, const Call& call);

/// Runs what was decided. Returns a code of MPI.
int perform(Communicator& communicator, const Call& call, const Decision& decision);

}  // namespace weft::pmpi
