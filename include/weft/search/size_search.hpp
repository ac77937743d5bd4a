// A search of one size and degree, for sizes whose known networks are far from the bound.
//
//   for (const SearchResult& graph : search_size({.nodes = 1500, .degree = 3}).results)
//     print(graph.expression, graph.steps);
//
// The search takes a fixed number of rounds (slices of graph_search.hpp) with a fixed seed, so that
// it finds the same graphs on every machine. A time limit guards against slow machines; a search
// that it ends says so.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/search/graph_search.hpp"

namespace weft::search {

/// The size of networks to search.
struct SearchedSize {
  int nodes = 0;
  int degree = 4;
  Direction direction = Direction::bidirectional;

  friend bool operator==(const SearchedSize&, const SearchedSize&) = default;
};

/// Of what a search finds: raised when that changes, so that stored graphs are searched again.
inline constexpr int kSizeSearchVersion = 1;
inline constexpr std::uint64_t kSizeSearchSeed = 1;
/// Rounds of a search of this size: fewer where a round takes longer.
std::int64_t size_search_rounds(int nodes);
/// Seconds after which a search ends before its last round.
inline constexpr double kSizeSearchLimit_s = 60;

struct SizeSearch {
  std::vector<SearchResult> results;  // the Pareto front, fewest steps first
  double seconds = 0;                 // that the search took
  bool complete = true;               // else the time limit ended the search
};

/// Whether a graph search takes this size: nodes in [3, kMostNodes], degree in [2, kMostDegree] and
/// below the nodes, an even number of ports if cables are two-way. Two-way networks of degree 2 are
/// rings, which no search betters.
bool can_search(const SearchedSize& size);

/// Searches Cayley graphs, lifts, random regular graphs, and graphs that are edited from those.
/// Every cost is that of BFB, exact. Some seconds. Precondition: can_search().
SizeSearch search_size(const SearchedSize& size, double time_limit_s = kSizeSearchLimit_s);

}  // namespace weft::search
