// Two-way graphs of few steps by simulated annealing, for sizes where random ones and climbs end
// one step above the best that is known.
//
//   if (const auto found = anneal_lift({.nodes = 72, .degree = 5, .order = 12, .steps = 3}))
//     print(found->expression, found->bandwidth_factor);
#pragma once

#include <cstdint>
#include <optional>

#include "weft/search/graph_search.hpp"

namespace weft::search {

struct AnnealOptions {
  int nodes = 0;   // N, 3 to kMostAnnealedNodes
  int degree = 4;  // d, 3 to 8, N d even
  int order = 1;   // of the cyclic group that acts on the graph; divides N
  int steps = 0;   // the diameter that is wanted
  std::uint64_t seed = 1;
  std::int64_t moves = 2'000'000;  // tried at most, in several runs
};

inline constexpr int kMostAnnealedNodes = 2000;

/// A lift of the cyclic group's, of N nodes and degree d, in which no two nodes are further apart
/// than `steps`, with the cost of its BFB allgather; nothing where the moves are over before. The
/// same on every machine. Throws InvalidInput for options out of range. O(moves N^2 d / order).
std::optional<SearchResult> anneal_lift(const AnnealOptions& options);

}  // namespace weft::search
