// Breadth-first search from many sources at once; bit_bfs.cpp has the method.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flat_graph.hpp"

namespace weft::analysis {

/// What a search from some sources found.
struct BitBfsResult {
  std::vector<std::int64_t> pairs_at;      // [k] = weighted (source, node) pairs at distance k
  std::vector<std::int32_t> eccentricity;  // by source: the largest distance to a node with weight
};

/// Distances from each source (repetitions allowed) to all nodes; a pair counts weight[node] times.
BitBfsResult bit_bfs(const FlatGraph& graph, std::span<const std::int32_t> sources,
                     std::span<const std::int32_t> weight);

}  // namespace weft::analysis
