#include "weft/schedule/route_symmetry.hpp"

#include <algorithm>
#include <cstdlib>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/views.hpp"

namespace weft::schedule {

namespace {

bool every_routed_message_is_one_hop(const Schedule& schedule, IdSpan<Agent, const NodeId> nodes,
                                     const Topology& topology) {
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m) {
    const Message& message = schedule.message(m);
    if (message.route != kRouted) continue;
    const NodeId from = nodes[message.from], to = nodes[message.to];
    if (from != to && !topology.find_link(from, to)) return false;
  }
  return true;
}

bool any_routed_message(const Schedule& schedule) {
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
    if (schedule.message(m).route == kRouted) return true;
  return false;
}

/// Whether a message goes half-way round a ring of four nodes or more, where two ways are as short.
bool any_half_way(const Schedule& schedule, IdSpan<Agent, const NodeId> nodes,
                  const topology::TorusView& torus) {
  const auto half_way = [&](const Message& message) {
    for (int d = 0; d < torus.dimensions(); ++d) {
      const int extent = torus.extents[static_cast<std::size_t>(d)];
      const int offset = torus.coordinate(nodes[message.to].value(), d) -
                         torus.coordinate(nodes[message.from].value(), d);
      if (extent >= 4 && 2 * std::abs(offset) == extent) return true;
    }
    return false;
  };
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
    if (half_way(schedule.message(m))) return true;
  return false;
}

/// Whether the group moves each coordinate by itself. An automorphism of a grid does where it takes
/// the lines of every dimension to lines of the same.
bool keeps_dimensions(const LinkAction& action, const Group& group, const topology::Extents& grid,
                      const Topology& topology) {
  if (grid.dimensions() == 1) return true;
  const auto dimension = [&](NodeId from, NodeId to) {
    int d = 0;
    while (d < grid.dimensions() &&
           grid.coordinate(from.value(), d) == grid.coordinate(to.value(), d))
      ++d;
    return d;
  };
  for (const Group::Element generator : group.generators())
    for (const LinkId link : topology.links()) {
      const NodeId from = topology.tail(link), to = topology.head(link);
      if (dimension(from, to) !=
          dimension(action.translate(generator, from), action.translate(generator, to)))
        return false;
    }
  return true;
}

}  // namespace

bool routes_move_with(const LinkAction& action, const Schedule& schedule,
                      std::span<const NodeId> nodes_of_agents, const Network& network) {
  WEFT_ASSERT(std::ssize(nodes_of_agents) == schedule.agents());
  const IdSpan<Agent, const NodeId> nodes(nodes_of_agents);
  const Group& group = schedule.symmetry().group();
  const Topology& topology = network.topology();
  // Which of parallel links a routing takes may differ over an orbit.
  if (action.has_parallel_links() && any_routed_message(schedule)) return false;
  if (every_routed_message_is_one_hop(schedule, nodes, topology)) return true;
  if (network.routing().moves_with_automorphisms()) return true;
  if (!network.routing().translation_invariant()) return false;
  // The routing moves with translations of the extents; ranks must be numbered as the nodes are.
  // Where one way is the shortest, or both are taken, it moves with reflections, too; and on a
  // Hamming network, where every way along a line is one hop, with all that a coordinate may do.
  const auto torus = topology::as_torus(topology);
  const auto hamming = topology::as_hamming(topology);
  const auto translations_of = [&](const auto& view) {
    return view && view->extents == group.moduli() && std::is_sorted(nodes.begin(), nodes.end());
  };
  if (translations_of(torus) || translations_of(hamming)) return true;
  if (hamming) return keeps_dimensions(action, group, *hamming, topology);
  return torus && (network.routing().splits() || !any_half_way(schedule, nodes, *torus)) &&
         keeps_dimensions(action, group, *torus, topology);
}

}  // namespace weft::schedule
