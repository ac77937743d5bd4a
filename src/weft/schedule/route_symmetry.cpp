#include "weft/schedule/route_symmetry.hpp"

#include <algorithm>

#include "weft/topology/views.hpp"

namespace weft::schedule {

namespace {

bool every_routed_message_is_one_hop(const Schedule& schedule, std::span<const NodeId> nodes,
                                     const Topology& topology) {
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m) {
    const Message& message = schedule.message(m);
    if (message.route != kRouted) continue;
    const NodeId from = nodes[message.from.index()], to = nodes[message.to.index()];
    if (from != to && !topology.find_link(from, to)) return false;
  }
  return true;
}

bool any_routed_message(const Schedule& schedule) {
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
    if (schedule.message(m).route == kRouted) return true;
  return false;
}

}  // namespace

bool routes_move_with(const LinkAction& action, const Schedule& schedule,
                      std::span<const NodeId> nodes, const Network& network) {
  const Symmetry& symmetry = schedule.symmetry();
  const Topology& topology = network.topology();
  // Which of parallel links a routing takes may differ over an orbit.
  if (action.has_parallel_links() && any_routed_message(schedule)) return false;
  if (every_routed_message_is_one_hop(schedule, nodes, topology)) return true;
  if (!network.routing().translation_invariant()) return false;
  // The routing moves with translations of the extents; ranks must be numbered as the nodes are.
  const auto torus = topology::as_torus(topology);
  const auto hamming = topology::as_hamming(topology);
  const bool same_group = (torus && torus->extents == symmetry.group().moduli()) ||
                          (hamming && hamming->extents == symmetry.group().moduli());
  return same_group && std::is_sorted(nodes.begin(), nodes.end());
}

}  // namespace weft::schedule
