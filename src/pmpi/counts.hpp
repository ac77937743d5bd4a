// Counts: which range of the plan serves a call whose blocks have sizes of their own.
//
// A plan serves such a call only if all blocks have the bytes that the plan has. The ranks must
// agree on that, or one would run the schedule while others call MPI, and all would wait for ever.
// In an allgatherv and a reduce-scatter each rank gives the sizes of all blocks, and MPI requires
// that they match, so that each rank finds the same range by itself. In an alltoallv a rank knows
// only what it sends and receives: the counts of two calls may agree there and differ elsewhere. So
// the ranks combine a bit for each range in an allreduce of one word, at each call. A decision that
// is kept from call to call would be wrong, because the counts of any other rank may have changed.
//
// Counts of alltoallv are ranks^2 numbers (134 MB at 4,096 ranks), so a rank checks them when the
// first of its calls matches their row and column. If they are damaged on its host, it leaves their
// bit out, and all ranks call MPI.
#pragma once

#include <cstdint>

#include "pmpi/collective.hpp"

namespace weft::pmpi {

/// The index of the range of the plan with the counts of this call; -1 if there is none. The same
/// on all ranks. Precondition: the call has counts. O(ranks * ranges with counts), and an allreduce
/// in an alltoallv if the plan has counts for it.
std::int32_t range_of_counts(const Communicator& communicator, const Call& call);

}  // namespace weft::pmpi
