// Local groups: equal groups of ranks that are near each other, as the cards of a box.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::algorithm {

/// Equal groups of ranks that are near each other; every rank is in exactly one. Ranks at the same
/// place in their groups reach each other best, as cards on one rail do.
using LocalGroups = std::vector<std::vector<Rank>>;

/// Groups of `size` consecutive ranks. Throws InvalidInput unless size divides ranks.
LocalGroups consecutive_groups(std::int32_t ranks, int size);

/// The groups that a network shows, in the order of their first ranks: the ranks on one node, in
/// one group of a Dragonfly or Dragonfly+, near each other by the widest links of their hosts
/// (equal rows of those where they are unequal), or in one line of the first dimension of a Hamming
/// network, HyperX or torus; the first of these that makes two or more equal groups of two or more,
/// else nothing.
std::optional<LocalGroups> local_groups(const Network& network);

struct GroupSizes {
  std::int32_t least = 0, most = 0;
};

/// How many ranks the groups have that hosts hang together in, of two sizes or more, where not even
/// rows of them are equal: nothing that works group by group fits, unless ranks are left out.
std::optional<GroupSizes> unequal_groups(const Network& network);

/// The ranks of the groups. Throws InvalidInput when the groups are not equal, are none, or do not
/// hold each of the ranks once.
std::int32_t ranks_in(const LocalGroups& groups);

}  // namespace weft::algorithm
