// Undirected Cayley graphs of Z_m1 x Z_m2 x ...: the one builder behind ring, complete, circulant,
// torus, hamming and hypercube.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/topology/facets.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// One generator: adds `offset` to the coordinate of `dimension`.
struct Generator {
  int dimension = 0;
  int offset = 1;           // in [1, extent)
  std::size_t inverse = 0;  // index of the generator that leads back; its own when an involution
  std::string link_class = "link";
};

/// The generators +offset and -offset, or one where they are the same move.
void append_generators(std::vector<Generator>& generators, int extent, int dimension, int offset,
                       const std::string& link_class);

/// Every node u has the links u + generator, in the order of the generators, so that a translation
/// maps the k-th out-link of u to the k-th out-link of its image. The first extent varies fastest.
/// Cables pair a generator with its inverse. Carries the group, and the coordinates where the
/// network is a product of lines. O(nodes * generators).
Topology abelian_cayley(const std::vector<int>& extents, const std::vector<Generator>& generators,
                        Expression expression,
                        std::optional<Coordinates> coordinates = std::nullopt);

}  // namespace weft::topology
