// Whether the routes of a schedule's messages move with its symmetry.
#pragma once

#include <span>

#include "weft/network/network.hpp"
#include "weft/schedule/link_action.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// Whether the message moved by a group element takes the moved links of the message, for all
/// messages of the schedule: explicit routes do; a message of one hop has no choice; others do
/// where the routing moves with all automorphisms, or with the translations of the network's
/// extents and the group is these, or moves each coordinate of a Hamming network, or of a torus
/// whose rings offer the messages one shortest way, or the routing takes both. `action` is the
/// symmetry's (link_action), `nodes` by agent. O(stored messages), for other groups than
/// translations O(generators * links) more.
bool routes_move_with(const LinkAction& action, const Schedule& schedule,
                      std::span<const NodeId> nodes, const Network& network);

}  // namespace weft::schedule
