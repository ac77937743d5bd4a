// Whether the explicit routes of a schedule are other paths than those of the network.
#pragma once

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// Whether a schedule of ranks alone has explicit routes, so that it can run without them, too.
inline bool has_own_paths(const Schedule& schedule) {
  return schedule.route_count() > 0 && schedule.helpers() == 0;
}

/// Whether each of its messages takes the links that the network's routing gives to a message
/// between the same nodes. False where the routing sees whole steps, as its routes depend on more
/// than the nodes. Precondition: the schedule is bound to the network. O(ranks that a route moves
/// to * routes), each routed once, and O(stored messages).
bool routes_are_networks(const Schedule& schedule, const Network& network);

}  // namespace weft::schedule

namespace weft {
using schedule::has_own_paths;
}
