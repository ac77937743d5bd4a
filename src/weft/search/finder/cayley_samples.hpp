// Cayley graphs of sizes that the graph search does not take, by sampling.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/search/graph_search.hpp"

namespace weft::search {

/// Two-way Cayley graphs of groups of this order that are not cyclic: so many sets of generators of
/// each of the few most promising groups, and of what was drawn those that no other one beats in
/// steps and bandwidth factor, costed exactly. Empty where there is no such group (twice a prime
/// has the dihedral one, a prime none). degree in [2, 16], nodes > degree.
/// O(sets nodes degree) for each group.
std::vector<SearchResult> best_cayley_graphs(int nodes, int degree, int sets, Rng rng);

}  // namespace weft::search
