// The mesh that a group is: GPUs of a box, joined by cables of their own.
#pragma once

#include <optional>

#include "weft/algorithm/local_groups.hpp"

namespace weft::algorithm {

/// The hosts of a group, rank by rank, and the links between them (several between two as one) that
/// all groups have at the same places, each as fast as its slowest; where one rank stands on each
/// host and these links join them all. Nothing otherwise, and where there are no switches.
/// O(links of the ranks' hosts).
std::optional<Network> mesh_of_groups(const LocalGroups& groups, const Network& network);

}  // namespace weft::algorithm
