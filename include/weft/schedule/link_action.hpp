// LinkAction: how a schedule's symmetry moves the nodes and links of the network under it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/schedule/symmetry.hpp"
#include "weft/topology/topology.hpp"

namespace weft::schedule {

/// Nodes move with the agents on them, a link to the link between the images of its ends; the j-th
/// of parallel links to the j-th there, so that products of elements move links one after the
/// other. On a Cayley graph it is CayleyView::translate.
class LinkAction {
 public:
  /// Nothing unless the group acts by automorphisms of the graph: each node holds one agent, and
  /// every link has an image. `nodes` by agent. O(generators of the group * links * degree).
  static std::optional<LinkAction> of(const Symmetry& symmetry, std::span<const NodeId> nodes,
                                      const Topology& topology);

  bool has_parallel_links() const { return has_parallel_links_; }
  Agent agent(NodeId node) const { return Agent(agents_[node]); }
  /// Where the element takes the node.
  NodeId translate(std::int32_t element, NodeId node) const {
    return nodes_[symmetry_.apply(element, agent(node))];
  }
  /// O(degree).
  LinkId translate(std::int32_t element, LinkId link) const {
    const std::optional<LinkId> moved = image(element, link);
    WEFT_ASSERT(moved.has_value());  // of() found an image of every link
    return *moved;
  }

 private:
  LinkAction(const Symmetry& symmetry, std::span<const NodeId> nodes, const Topology& topology);
  std::optional<LinkId> image(std::int32_t element, LinkId link) const;
  bool place_agents();
  bool moves_all_links() const;

  Symmetry symmetry_;
  Topology topology_;
  IdVector<Agent, NodeId> nodes_;
  IdVector<NodeId, std::int32_t> agents_;
  bool has_parallel_links_ = false;
};

}  // namespace weft::schedule
