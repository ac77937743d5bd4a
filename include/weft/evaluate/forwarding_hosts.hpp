// Which hosts without ranks have to forward messages for a schedule or a bound to hold.
#pragma once

#include <string>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::evaluate {

/// Hosts without ranks that explicit routes of the schedule lead through, in increasing order.
/// Hosts that the network's own routing passes are not among them. O(nodes + links of routes).
std::vector<NodeId> forwarding_hosts(const schedule::Schedule& schedule, const Network& network);

/// Hosts without ranks that links lead into and out of, in increasing order: an optimum over all
/// schedules lets them forward.
std::vector<NodeId> idle_relays(const Network& network);

/// A note that names the hosts and how to compute without them; empty for no host. `subject` is
/// what lets them forward: "packing".
std::string note_of_forwarding(const std::string& subject, const std::vector<NodeId>& hosts,
                               const Network& network);

}  // namespace weft::evaluate
