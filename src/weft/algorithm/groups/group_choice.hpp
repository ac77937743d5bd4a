// The local groups of an algorithm that takes option group.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/local_groups.hpp"

namespace weft::algorithm {

/// Those of option group, else those that the network shows; nothing where it shows none. Of
/// several levels the smallest of the option, the usual ones of the network.
std::optional<LocalGroups> groups_for(const Context& context);

/// Groups of ranks of all levels, the smallest first: of the option, else of the network, else
/// the lanes of unequal ones. Those of the option are the network's where that has groups of these
/// sizes, else ranks in a row.
LocalGroupLevels group_levels_for(const Context& context);

/// groups_for(), else the lanes of unequal groups that the network shows.
std::optional<LocalGroups> lanes_for(const Context& context);

/// What groups an algorithm takes.
enum class Groups : std::uint8_t { equal, unequal_too };

/// Why there are no groups.
std::optional<std::string> group_misfit(const Context& context, Groups groups = Groups::equal);

}  // namespace weft::algorithm
