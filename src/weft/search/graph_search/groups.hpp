// The groups that the search draws generators from.
#pragma once

#include <vector>

#include "weft/topology/group/group.hpp"

namespace weft::search {

/// Groups of this order: the cyclic one, then the most promising kinds first: Z_m x| Z_c for every
/// m, c and action, Z_m^k x| Z_c by companion matrices, direct products of these with cyclic
/// groups, and the other abelian groups. No two are made by the same text; isomorphic ones may be.
/// At most kMostGroups. order >= 2.
std::vector<Group> groups_of_order(int order);

inline constexpr std::size_t kMostGroups = 96;

}  // namespace weft::search
