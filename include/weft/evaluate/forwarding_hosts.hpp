// Which hosts without ranks have to forward messages for a schedule or a bound to hold.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::evaluate {

/// Hosts without ranks that links lead into and out of, in increasing order: an optimum over all
/// schedules lets them forward.
std::vector<NodeId> idle_relays(const Network& network);

/// Hosts without ranks that a link which carries data leads to, in increasing order. They forward
/// it, because no rank there receives it: the routes of the schedule or of the network lead through
/// them. O(nodes + links).
std::vector<NodeId> forwarding_hosts(const Network& network,
                                     const std::function<bool(LinkId)>& carries);
/// The same by the loads of links that a price has.
std::vector<NodeId> forwarding_hosts(const schedule::Cost& price, const Network& network);
/// The same of a schedule, which is priced only if some host may forward. Empty also where its
/// loads do not fit in 128 bits.
std::vector<NodeId> forwarding_hosts(const schedule::Verified& verified, const Network& network);

/// What sends through hosts without ranks, such as an algorithm.
struct Forwarded {
  std::string subject;
  std::vector<NodeId> hosts;  // increasing
};

/// A note that names the hosts and a network without them, as options that can be pasted; it says
/// so where these ranks have no way to each other without them. Subjects with the same hosts share
/// a place, in the order given. Empty where no host forwards.
std::string note_of_forwarding(std::span<const Forwarded> all, const Network& network);
std::string note_of_forwarding(const std::string& subject, const std::vector<NodeId>& hosts,
                               const Network& network);

}  // namespace weft::evaluate
