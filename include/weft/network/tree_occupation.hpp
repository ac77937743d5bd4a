// How much a step's messages need of each level of an extended generalised fat tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/network/routing.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

/// Of the links between level l and level l + 1.
struct LevelOccupation {
  std::int64_t crossing = 0;  // messages that pass them, up (and as many down)
  std::int64_t up = 0;        // the most that leave the subtree of one node of the tree at level l
  std::int64_t down = 0;      // the most that enter one
  std::int64_t capacity = 0;  // w_1 ... w_(l+1), links that lead up from such a subtree
  std::int64_t contention =
      0;  // messages that the busiest link carries at least: ceil(max / capacity)
};

/// For each level 0 <= l < h. "Subtree" is all that hangs below the nodes of level l which share
/// their hosts. Throws InvalidInput for flows of switches. Cost: O(flows h + nodes).
std::vector<LevelOccupation> tree_occupation(const topology::XgftView& tree,
                                             std::span<const Flow> step);

/// The contention of the busiest level, which no routing goes below; 0 without messages.
std::int64_t least_contention(std::span<const LevelOccupation> levels);

}  // namespace weft::network
