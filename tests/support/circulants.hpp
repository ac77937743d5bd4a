// All circulant graphs of a size, for claims about every one of them.
#pragma once

#include <vector>

namespace weft::support {

/// Jumps of the connected circulant graphs of `nodes` nodes and degree 2 * `jumps`: each jump in
/// [1, nodes / 2), all different, so that no link is parallel to another or its own reverse. One
/// of each class under multiplication by the units of Z_nodes, which are isomorphisms: the least in
/// lexicographic order. Needs nodes >= 3, jumps >= 1. O(binomial(nodes / 2, jumps) * nodes).
std::vector<std::vector<int>> circulant_jumps(int nodes, int jumps);

/// The same with the jump nodes / 2 beside: degree 2 * `jumps` + 1. `nodes` is even.
std::vector<std::vector<int>> circulant_jumps_and_half(int nodes, int jumps);

}  // namespace weft::support
