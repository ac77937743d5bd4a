// Paths with fewer links at the same load of the fullest link.
#pragma once

#include <vector>

#include "weft/flow/all_to_all/unit_shares.hpp"
#include "weft/flow/all_to_all_paths.hpp"

namespace weft::flow {

/// The paths, with units moved from the longest to shorter ways of the same pair that have room
/// below the load of the fullest class: a flow at the throughput may go any way round over links
/// that are not full. By source, by destination, as they came; a search over the links for each
/// path that is longer than the distance of its ends, up to some 10^9 links in all.
std::vector<SharedPath> shorter_paths(const Topology& topology, const LoadClasses& classes,
                                      std::vector<SharedPath> paths);

}  // namespace weft::flow
