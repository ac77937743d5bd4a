// The schedule of a breadth-first plan, for ranks placed one on each node.
#pragma once

#include <span>
#include <vector>

#include "plan.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm::bfb {

/// Whether every node holds exactly one rank.
bool one_on_each_node(std::span<const NodeId> node_of_rank, const Topology& topology);

/// Which rank is on each node. Precondition: one rank on each.
std::vector<Rank> ranks_of_nodes(std::span<const NodeId> node_of_rank);

/// A message between neighbours takes their link; where some have several, routes say which.
class LinkRoutes {
 public:
  /// `parallel`: whether any two nodes have several links.
  LinkRoutes(const Topology& topology, bool parallel)
      : routes_(parallel ? static_cast<std::size_t>(topology.link_count()) : 0, kRouted) {}

  /// The route over this link, added to the builder when it is the first.
  RouteId of(LinkId link, ScheduleBuilder& builder);

 private:
  std::vector<RouteId> routes_;
};

/// Precondition: one rank on each node. Symmetry is used where rank x is on the node of element x
/// of the network's group.
Schedule placed_schedule(const Fabric& fabric, CollectiveKind kind,
                         std::span<const NodeId> node_of_rank, const BfbOptions& options);

}  // namespace weft::algorithm::bfb
