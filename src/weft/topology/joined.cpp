#include "weft/topology/joined.hpp"

#include "weft/base/id_vector.hpp"
#include "weft/base/union_find.hpp"

namespace weft::topology {

IdVector<NodeId, NodeId> lowest_joined(const Topology& topology) {
  UnionFind sets(topology.node_count());
  for (const LinkId link : topology.links()) {
    const NodeId tail = topology.tail(link), head = topology.head(link);
    if (topology.is_host(tail) == topology.is_host(head)) sets.join(tail.value(), head.value());
  }
  IdVector<NodeId, NodeId> lowest;
  for (const NodeId node : topology.nodes()) lowest.push_back(NodeId(sets.find(node.value())));
  return lowest;
}

}  // namespace weft::topology
