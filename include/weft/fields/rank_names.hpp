// Ranks by the names of the hosts that they run on.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "weft/topology/topology.hpp"

namespace weft::fields {

/// The rank that "3" is, which is not checked, or that runs on the host of this name; rank r is on
/// places[r]. `option` leads messages: "--root". Throws InvalidInput where no rank is called so.
/// O(nodes).
std::int64_t rank_called(std::string_view text, const Topology& topology,
                         std::span<const NodeId> places, std::string_view option);

}  // namespace weft::fields
