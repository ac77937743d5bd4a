// Local groups: equal groups of ranks that are near each other, as the cards of a box.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::algorithm {

/// Equal groups of ranks that are near each other; every rank is in exactly one. Ranks at the same
/// place in their groups reach each other best, as cards on one rail do. Of groups of several sizes
/// (unequal_lanes()) all have as many places as the largest, and ranks of smaller ones have
/// several.
using LocalGroups = std::vector<std::vector<Rank>>;

/// Groups of `size` consecutive ranks. Throws InvalidInput unless size divides ranks.
LocalGroups consecutive_groups(std::int32_t ranks, int size);

/// The groups that a network shows, in the order of their first ranks: the ranks on one node, in
/// one group of a Dragonfly or Dragonfly+, near each other by the widest links of their hosts
/// (equal rows of those where they are unequal), or in one line of a dimension, the first before
/// the second, of a Hamming network, HyperX or torus; the first of these that makes two or more
/// equal groups of two or more, else nothing.
std::optional<LocalGroups> local_groups(const Network& network);

/// Groups that nest, innermost first: those of level 0 are groups of ranks, those of level k + 1
/// groups of groups of level k, by the index that these have there. One group or more at the top.
using GroupLevels = std::vector<LocalGroups>;

/// Groups of ranks of each level, the smallest first. Nothing unless they nest: each of a level a
/// union of groups of the level before.
std::optional<GroupLevels> nested(std::span<const LocalGroups> partitions);

/// Groups of ranks of several levels that nest, the smallest first.
struct LocalGroupLevels {
  std::vector<LocalGroups> groups = {};
  std::size_t usual = 0;  // which of them are local_groups()
};

/// The groups of ranks of all levels that a network shows: local_groups(), and what of the ranks on
/// one node, near each other by the widest links, in nested groups of its facets (router and group,
/// box and rack, switches of a tree), and of the groups under the same switches makes two or more
/// equal groups that nest with these. Empty where there are no local groups.
LocalGroupLevels local_group_levels(const Network& network);

/// The groups of several sizes that a network shows, as lanes: of each group one rank for each
/// place of the largest. A rank of a smaller group has several places, its own rail's among them
/// where it can. By node, by group of a Dragonfly or Dragonfly+, or by widest links; nothing where
/// none of these makes two or more groups of several sizes. For networks without local_groups().
std::optional<LocalGroups> unequal_lanes(const Network& network);

/// The ranks of the groups, of which one may stand in several places of its group. Throws
/// InvalidInput when the groups have not as many places each, are none, do not hold each of the
/// ranks, or one is in two of them.
std::int32_t ranks_in(const LocalGroups& groups);

}  // namespace weft::algorithm
