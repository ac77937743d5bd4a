// Groups of groups by the switches above them, where no facet tells.
#pragma once

#include <vector>

#include "weft/algorithm/local_groups.hpp"

namespace weft::algorithm {

/// Of these groups those of groups, and of those, that have the same switches above them; each of
/// equal groups, two or more. O(levels links log links).
std::vector<LocalGroups> levels_above(const Network& network, const LocalGroups& smallest);

}  // namespace weft::algorithm
