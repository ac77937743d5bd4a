// Where a schedule's agents are on a network, and the paths of its messages there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/schedule/link_action.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// The node of each agent: ranks by the network's placement, helpers by the schedule's binding.
/// Throws InvalidInput when the network places fewer ranks, when helpers have no node there, or
/// when explicit routes are for another graph or placement. O(agents).
std::vector<NodeId> nodes_of_agents(const Schedule& schedule, const Network& network);

/// Agents that are to be placed, of a schedule or what is made of one.
struct AgentsToPlace {
  std::string_view what = "schedule";  // for messages
  std::int32_t ranks = 0, helpers = 0;
  bool has_routes = false;  // explicit ones
  const Binding& binding;
};
/// The same for those.
std::vector<NodeId> place_agents(const AgentsToPlace& agents, const Network& network);

/// The binding of a schedule that is made for this network.
Binding binding_to(const Network& network);

/// What is wrong with the schedule's binding to the topology that it names: another graph than the
/// one it was made for (by its hash), an agent on a node that does not exist, or a route over a
/// link that does not exist. One line; nothing when it is right. O(agents + links of routes).
std::optional<std::string> binding_fault(const Schedule& schedule, const Topology& topology);

/// The action of the schedule's symmetry on the network when that is an automorphism which keeps
/// speeds: it moves the nodes of agents so that links go to links of equal speed, and every node
/// holds one agent. Nothing otherwise. O(generators * links * degree).
std::optional<LinkAction> link_action(const Symmetry& symmetry, std::span<const NodeId> nodes,
                                      const Fabric& fabric);

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
