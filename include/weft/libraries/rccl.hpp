// RCCL's choice on AMD's GPUs: the cost model of NCCL with other constants, and what RCCL puts in
// its place.
//
// RCCL multiplies the bandwidth of its rings by a ratio for each algorithm and protocol, and by a
// factor for each power of two of the size. These numbers are set so that the right pair wins; as
// times they are off by up to a hundred. So the model here chooses, and the time of a choice
// comes from the network's own links, of which a protocol uses a share, and from RCCL's latencies.
#pragma once

#include <vector>

#include "weft/libraries/nccl.hpp"

namespace weft::libraries {

/// All pairs that RCCL compares for the call, in its own order. Precondition: call.gpus.amd.
std::vector<NcclEstimate> rccl_estimates(const LibraryCall& call);

/// Throws InvalidInput for networks whose GPUs are not AMD's, or not known.
LibraryChoice rccl(const LibraryCall& call);

}  // namespace weft::libraries
