// Local (hierarchical) ring: rings within groups of near ranks, and rings across the groups.
#pragma once

#include "weft/algorithm/local_groups.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

// With G groups of g ranks: G + g - 2 steps, twice as many for allreduce. All throw InvalidInput
// when the groups are not equal or do not hold each of the ranks once.
schedule::Schedule local_ring_allgather(const LocalGroups& groups);
schedule::Schedule local_ring_reduce_scatter(const LocalGroups& groups);
schedule::Schedule local_ring_allreduce(const LocalGroups& groups);

}  // namespace weft::algorithm
