// Ranks as elements of a Cayley network's group.
#pragma once

#include <span>

#include "weft/topology/cayley_view.hpp"

namespace weft::algorithm {

/// Whether rank x is on the node of element x, for all of them.
inline bool ranks_are_elements(const topology::CayleyView& view,
                               std::span<const NodeId> node_of_rank) {
  for (std::size_t r = 0; r < node_of_rank.size(); ++r)
    if (view.node(static_cast<Group::Element>(r)) != node_of_rank[r]) return false;
  return true;
}

}  // namespace weft::algorithm
