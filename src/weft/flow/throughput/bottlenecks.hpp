// Prices that prove a bound at once where thin links hold everything back.
#pragma once

#include <vector>

#include "weft/flow/orbits.hpp"
#include "weft/flow/throughput.hpp"

namespace weft::flow {

/// Prices of orbits, some sets of them, none where all arcs are as fast: of the tightest cut around
/// a part that faster arcs hold together, and of the network whose fast parts are a node each.
/// O(arcs log nodes), and a balance of that network if it has half as many nodes or fewer.
std::vector<std::vector<double>> bottleneck_prices(const FlowGraph& graph, const ArcOrbits& orbits,
                                                   const ThroughputOptions& options);

}  // namespace weft::flow
