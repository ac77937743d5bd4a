// Flows of all sources balanced against each other: throughput within a gap, for networks with too
// many kinds of links for cutting planes.
#pragma once

#include "weft/flow/throughput/found.hpp"

namespace weft::flow {

/// Narrows the interval until its gap or the time limit is reached; both ends are proven. Memory: 8
/// bytes for each source and arc. Throws InvalidInput above 8 GB.
Found throughput_by_balance(const FlowGraph& graph, const ArcOrbits& orbits,
                            const ThroughputOptions& options);

}  // namespace weft::flow
