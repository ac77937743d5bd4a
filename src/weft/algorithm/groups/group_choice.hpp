// The local groups of an algorithm that takes option group.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/local_groups.hpp"

namespace weft::algorithm {

/// Those of option group, else those that the network shows; nothing where it shows none. Of
/// several levels the smallest of the option, the usual ones of the network.
std::optional<LocalGroups> groups_for(const Context& context);

/// Groups of ranks of all levels, the smallest first: of the option, else of the network. Those of
/// the option are the network's where that has groups of these sizes, else ranks in a row.
LocalGroupLevels group_levels_for(const Context& context);

/// Why there are no groups.
std::optional<std::string> group_misfit(const Context& context);

}  // namespace weft::algorithm
