// NCCL's trees over boxes: two binary trees whose nodes are the boxes, on the rail of each card.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/libraries/part_schedules.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::libraries {

/// By box: its parent in one of the two trees, -1 for the root. In the first tree box 0 is the
/// root and has one child; the second is its mirror image for an even number of boxes, and shifted
/// by one for an odd one. Source: NCCL 2.30.7, src/graph/trees.cc.
std::vector<std::int32_t> box_tree(std::int32_t boxes, bool second);

/// How a box gathers what its card sends, and passes on what that receives: along a chain of its
/// GPUs (Tree), all at once (as the switch does for NVLSTree), or along a path of a full mesh,
/// where the paths of all heads use each link once.
enum class InBox : std::uint8_t { chain, at_once, path };

/// An allreduce up and down the trees; each card's GPU is the head of an equal share of the buffer,
/// half of it for each tree. Precondition: boxes of equal size.
schedule::Schedule on_box_trees(const Collective& collective, const NodeRanks& boxes,
                                std::int32_t cards, InBox in_box, std::int64_t segments);

}  // namespace weft::libraries
