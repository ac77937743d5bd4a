// Several ranks on each host.
#pragma once

#include <cstdint>
#include <span>

#include "weft/topology/placement.hpp"

namespace weft::topology {

/// So many ranks in the place of each, which are neighbours in the order of ranks. Throws
/// InvalidInput for none, and for more ranks than 2^20.
Placement several_on_each(const Placement& one, std::int32_t per_host);
/// Another number of ranks for each place, in their order. Throws InvalidInput for another number
/// of places, too.
Placement several_on_each(const Placement& one, std::span<const std::int32_t> per_host);

}  // namespace weft::topology
