// Small networks built straight from their definitions, and naive measures of them: what the fast
// code is compared with.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/topology/topology.hpp"

namespace weft::support {

using Ends = std::pair<int, int>;

/// One-way links between `nodes` hosts, in the order given.
Topology from_arcs(int nodes, const std::vector<Ends>& arcs);
/// Cables between `nodes` hosts.
Topology from_cables(int nodes, const std::vector<Ends>& cables);

Topology cycle(int nodes);
Topology one_way_cycle(int nodes);
Topology complete_graph(int nodes);
Topology binary_cube(int dimensions);
/// A torus with every extent above 2.
Topology torus_of(const std::vector<int>& extents);
/// Kautz words: s[0] .. s[length - 1] over degree + 1 letters, neighbours different.
Topology kautz_of_words(int degree, int length);
Topology petersen();

/// Up to `links` one-way links between random ends: loops, parallel links and disconnected ones
/// too.
Topology random_arcs(int nodes, int links, Rng& rng);
/// The same with cables.
Topology random_cables(int nodes, int cables, Rng& rng);
/// Each node one cable to and from in each of `degree` / 2 random permutations: all degrees equal.
Topology random_permutations(int nodes, int degree, Rng& rng);

/// Floyd and Warshall's all-pairs distances, [from][to]; kFar where there is no way.
inline constexpr std::int32_t kFar = 1 << 29;
std::vector<std::vector<std::int32_t>> naive_distances(const Topology& topology);

}  // namespace weft::support
