// Colouring the edges of bipartite multigraphs so that no vertex has two edges of one colour.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::network {

/// An edge between a left vertex and a right vertex, both numbered from 0.
struct BipartiteEdge {
  std::int32_t left = 0, right = 0;
};

/// A colour in [0, colours) for each edge, all different at every vertex. Precondition: no vertex
/// has more than `colours` edges. Colours are dealt evenly: vertices of few edges next to each
/// other in number share the colours among them, and neighbouring edges of a vertex go to
/// different halves of the colours.
/// Cost: with m edges O(m log D) where D = colours is a power of two, else O(m log D log m).
std::vector<std::int32_t> colour_edges(std::span<const BipartiteEdge> edges, std::int32_t colours);

}  // namespace weft::network
