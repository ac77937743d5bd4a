// Two-way networks of sizes beyond the catalogue, by short searches.
#pragma once

#include <vector>

#include "weft/search/graph_search.hpp"

namespace weft::search {

/// The shipped catalogue has searched two-way networks of every size up to this.
inline constexpr int kMostSearchedNodes = 2000;
/// Of what is drawn for a size and degree: raised when that changes, so that caches are drawn anew.
inline constexpr int kSamplesVersion = 2;
/// The degrees of which samples are drawn.
inline constexpr int kLeastSampledDegree = 3, kMostSampledDegree = 16;

/// Two-way networks of a size and degree, none of which is beaten by another in steps and bandwidth
/// factor: of up to kMostNodes nodes and degree kMostDegree what a graph search of fixed length
/// finds, Cayley graphs, lifts and random regular graphs; and the best of some hundred circulants,
/// of odd degree with the jump across; above kMostNodes nodes Cayley graphs of a few groups too.
/// Every cost is that of BFB, exact. The same on every machine. Empty where the product is odd, for
/// degrees out of range, for nodes <= degree and for more than the finder takes. Seconds.
std::vector<SearchResult> sampled_graphs(int nodes, int degree);

}  // namespace weft::search
