// Throughput with one price for each orbit of arcs: exact for any number of nodes while the orbits
// are few.
#pragma once

#include "weft/flow/throughput/found.hpp"

namespace weft::flow {

/// Solves for prices and flows, and proves both ends; exact where the final vertex could be
/// solved in fractions that prove the same value. Within the time limit; what is proven by then is
/// returned. `method` is left to the caller.
Found throughput_by_orbits(const FlowGraph& graph, const ArcOrbits& orbits,
                           const ThroughputOptions& options);

}  // namespace weft::flow
