// The edge-disjoint paths between two nodes of a Kautz network of diameter two.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/topology.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

/// As links, the shortest path first: degree of them, of at most 3 links but for one of 4 where
/// there is a link from `from` to `to` and none back. Precondition: diameter 2, from != to. Cost:
/// O(degree^2). Source: Pham, PhD thesis, section 3.3.1.
std::vector<std::vector<LinkId>> kautz_paths(const Topology& topology,
                                             const topology::KautzView& kautz, NodeId from,
                                             NodeId to);

}  // namespace weft::algorithm
