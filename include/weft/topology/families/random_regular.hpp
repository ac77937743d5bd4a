// Random regular graphs.
#pragma once

#include <cstdint>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// A simple, connected graph whose nodes all have the degree, drawn by the seed; the same on every
/// machine. degree in [1, nodes), nodes * degree even; degree 1 only for two nodes. Throws
/// InvalidInput. Expected O(nodes * degree^2).
Topology random_regular(int nodes, int degree, std::uint64_t seed);

}  // namespace weft::topology
