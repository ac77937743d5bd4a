// Edge colouring of a bipartite graph with as many colours as its largest degree (Koenig).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft::format::msccl {

/// The colour of each edge (left node, right node), nodes in [0, nodes) on either side, so that the
/// edges of a node differ; colours are 0 ... largest degree - 1. Each edge swaps two colours along
/// a path where both ends have no colour in common that is free. O(edges * (degree + path)).
/// Source: Koenig, "Gráfok és mátrixok", Matematikai és Fizikai Lapok 38, 1931.
std::vector<std::int32_t> colour_edges(std::span<const std::pair<std::int32_t, std::int32_t>> edges,
                                       std::int32_t nodes);

}  // namespace weft::format::msccl
