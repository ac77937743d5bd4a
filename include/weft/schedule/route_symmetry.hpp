// Whether the routes of a schedule's messages move with its symmetry.
#pragma once

#include <span>

#include "weft/network/network.hpp"
#include "weft/schedule/link_action.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// Whether the message moved by a group element takes the moved links of the message, for all
/// messages of the schedule: explicit routes do; a message of one hop has no choice; others do
/// where the routing moves with the translations of the network's extents and the group is these.
/// `action` is the symmetry's (link_action), `nodes` by agent. O(stored messages).
bool routes_move_with(const LinkAction& action, const Schedule& schedule,
                      std::span<const NodeId> nodes, const Network& network);

}  // namespace weft::schedule
