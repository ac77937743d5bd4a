// Flows of all sources balanced against each other: throughput within a gap, for networks with too
// many kinds of links for cutting planes.
#pragma once

#include <cstdint>
#include <limits>

#include "weft/flow/throughput/found.hpp"

namespace weft::flow {

/// Narrows the interval until its gap, the time limit or so many sweeps are reached; both ends are
/// proven. Memory: 8 bytes for each source and arc. Throws InvalidInput above 8 GB.
Found throughput_by_balance(const FlowGraph& graph, const ArcOrbits& orbits,
                            const ThroughputOptions& options,
                            std::int64_t most_sweeps = std::numeric_limits<std::int64_t>::max());

}  // namespace weft::flow
