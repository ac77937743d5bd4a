// Message-combine collectives on Dragonflies (DF-C): global links first, then local ones.
#pragma once

#include "weft/schedule/schedule.hpp"
#include "weft/topology/topology.hpp"

namespace weft::algorithm {

/// Two steps, four for an allreduce, on a Dragonfly with one host on each router where every router
/// is linked to every other group (h >= g - 1). Serves all but point-to-point. Throws InvalidInput
/// for that, for other networks, and when the ranks are not the routers. O(N^2) branches.
schedule::Schedule dragonfly_combine(const topology::Topology& topology,
                                     const schedule::Collective& collective);

}  // namespace weft::algorithm
