// Hierarchical collectives: two levels, within groups of near ranks and between like places of
// them.
#pragma once

#include <cstdint>

#include "weft/algorithm/local_groups.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

// With G groups of g ranks, both 2 or more, and s segments a distance of one step apart. All throw
// InvalidInput when the groups are not equal or do not hold each of the ranks once, for less than
// one segment, and for a root that is no rank.

/// s + 1 steps; N (g - 1 + G - 1) messages a segment.
schedule::Schedule hierarchical_alltoall(const LocalGroups& groups, std::int64_t segments = 1);
/// G + s steps; (g - 1)^2 + g^2 (G - 1) messages a segment.
schedule::Schedule hierarchical_broadcast(const LocalGroups& groups, Rank root,
                                          std::int64_t segments = 1);
schedule::Schedule hierarchical_reduce(const LocalGroups& groups, Rank root,
                                       std::int64_t segments = 1);
/// s + 1 steps; N - 1 messages a segment.
schedule::Schedule hierarchical_scatter(const LocalGroups& groups, Rank root,
                                        std::int64_t segments = 1);
schedule::Schedule hierarchical_gather(const LocalGroups& groups, Rank root,
                                       std::int64_t segments = 1);

}  // namespace weft::algorithm
