// Local (hierarchical) ring: rings within groups of near ranks, and rings across the groups.
#pragma once

#include <vector>

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// Equal groups of ranks that are near each other; every rank is in exactly one.
using LocalGroups = std::vector<std::vector<schedule::Rank>>;

/// Groups of `size` consecutive ranks. Throws InvalidInput unless size divides ranks.
LocalGroups consecutive_groups(std::int32_t ranks, int size);

// With G groups of g ranks: G + g - 2 steps, twice as many for allreduce. All throw InvalidInput
// when the groups are not equal or do not hold each of the ranks once.
schedule::Schedule local_ring_allgather(const LocalGroups& groups);
schedule::Schedule local_ring_reduce_scatter(const LocalGroups& groups);
schedule::Schedule local_ring_allreduce(const LocalGroups& groups);

}  // namespace weft::algorithm
