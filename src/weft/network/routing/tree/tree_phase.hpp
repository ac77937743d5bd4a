// The paths of one step's messages in an extended generalised fat tree, chosen together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/network/routing/tree/up_down.hpp"

namespace weft::network {

/// digits[flow * height + level] is the parent that the flow takes from the level; those above its
/// top are 0. busiest_link is the number of messages on it.
struct TreePhase {
  std::vector<std::int32_t> digits;
  std::int64_t busiest_link = 0;
};

/// Chooses paths between hosts so that links are shared by as few messages as possible.
TreePhase choose_paths(const UpDownPaths& paths, std::span<const Flow> step);

}  // namespace weft::network
