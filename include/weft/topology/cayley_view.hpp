// The view of a network as a Cayley graph: its nodes as group elements, its links as generators.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/group/group.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Node with element x has, for every generator s, a link to the node with element x * s. Left
/// multiplication by a group element is then an automorphism of the network, also of its parallel
/// links: link(node, k) goes to link(translate(g, node), k).
class CayleyView {
 public:
  const Group& group() const { return group_; }
  /// Generators in the order of the out-links of the identity's node; parallel links repeat one.
  const std::vector<Group::Element>& generators() const { return generators_; }
  std::int32_t degree() const { return static_cast<std::int32_t>(generators_.size()); }

  /// Most families number their nodes as the elements are.
  bool nodes_are_elements() const { return elements_.empty(); }
  Group::Element element(NodeId node) const {
    return elements_.empty() ? node.value() : elements_[node];
  }
  NodeId node(Group::Element element) const {
    return nodes_.empty() ? NodeId(element) : nodes_[element];
  }

  /// The link of `node` for the generator of this index.
  LinkId link(NodeId node, std::int32_t generator) const {
    WEFT_ASSERT(generator >= 0 && generator < degree());
    return topology_.out_links(node)[slots_.empty() ? generator : slots_[at(node, generator)]];
  }
  /// The index of the link's generator; of parallel links each has its own.
  std::int32_t generator(LinkId link) const {
    const NodeId tail = topology_.tail(link);
    const std::int32_t slot = link.value() - topology_.out_links(tail)[0].value();
    return slots_.empty() ? slot : generators_of_slots_[at(tail, slot)];
  }
  NodeId translate(Group::Element g, NodeId moved) const {
    return node(group_.multiply(g, element(moved)));
  }
  /// The same generator's link at the translated tail. Not for links of attached hosts.
  LinkId translate(Group::Element g, LinkId moved) const {
    return link(translate(g, topology_.tail(moved)), generator(moved));
  }

 private:
  friend class CayleyViewBuilder;
  CayleyView(Topology topology, Group group)
      : topology_(std::move(topology)), group_(std::move(group)) {}

  std::size_t at(NodeId node, std::int32_t index) const {
    return node.index() * generators_.size() + static_cast<std::size_t>(index);
  }

  Topology topology_;
  Group group_;
  std::vector<Group::Element> generators_;
  IdVector<NodeId, Group::Element> elements_;  // empty where nodes are elements
  std::vector<NodeId> nodes_;                  // by element; likewise
  // By node and generator the place among the node's out-links, and back; empty where every node's
  // out-links stand in the order of the generators.
  std::vector<std::int32_t> slots_, generators_of_slots_;
};

/// The group is the topology's facet; these families have one: cayley, ring, uniring, biring,
/// shifted-ring, complete, circulant, directed-circulant, bipartite:n,n, torus, twisted-torus,
/// hypercube, hamming, 2dfc, products, powers, transposes and bidirectional versions of them; with
/// hosts attached, of the switches. The links are then held against it, O(links).
std::optional<CayleyView> as_cayley(const Topology& topology);

}  // namespace weft::topology
