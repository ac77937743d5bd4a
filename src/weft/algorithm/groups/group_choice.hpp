// The local groups of an algorithm that takes option group.
#pragma once

#include <optional>
#include <string>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/local_groups.hpp"

namespace weft::algorithm {

/// Those of option group, else those that the network shows; nothing where it shows none.
std::optional<LocalGroups> groups_for(const Context& context);

/// Why there are no groups.
std::optional<std::string> group_misfit(const Context& context);

}  // namespace weft::algorithm
