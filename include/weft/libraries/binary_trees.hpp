// Binary trees, unsegmented, as MPI libraries have them: children of v are 2 v + 1 and 2 v + 2.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/schedule/schedule.hpp"

namespace weft::libraries {

inline constexpr std::string_view kBinaryTree = "binary-tree";
inline constexpr std::string_view kSplitBinaryTree = "split-binary-tree";

/// From rank 0, the whole buffer to both children at once, level by level.
schedule::Schedule binary_tree_broadcast(std::int32_t ranks);
/// The same backwards.
schedule::Schedule binary_tree_reduce(std::int32_t ranks);
/// Half of the buffer goes down each side of the tree; then ranks of the two sides swap halves in
/// pairs, and who has no partner gets its other half from rank 0. After Open MPI's
/// split binary tree; which ranks pair up there was not checked.
schedule::Schedule split_binary_tree_broadcast(std::int32_t ranks);

}  // namespace weft::libraries
