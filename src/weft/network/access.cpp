#include "weft/network/access.hpp"

#include "weft/base/error.hpp"

namespace weft::network {

namespace {

bool is_leaf(const Topology& topology, NodeId node) {
  if (!topology.is_host(node) || topology.out_degree(node) != 1 || topology.in_degree(node) != 1)
    return false;
  const NodeId next = topology.head(topology.out_links(node)[0]);
  return !topology.is_host(next) && next == topology.tail(topology.in_links(node)[0]);
}

}  // namespace

Access::Access(const Topology& topology) {
  ends_.reserve(topology.node_count());
  for (NodeId node : topology.nodes()) {
    if (is_leaf(topology, node)) {
      const LinkId up = topology.out_links(node)[0], down = topology.in_links(node)[0];
      ends_.push_back({topology.head(up), topology.tail(down), up, down, true});
    } else {
      ends_.push_back({node, node, LinkId(), LinkId(), false});
    }
  }
}

void reject_unreachable(const Flow& flow) {
  reject(
      "node {} cannot be reached from node {}, not even through hosts; use a connected "
      "network, or limit --hosts to one connected part",
      flow.to.value(), flow.from.value());
}

}  // namespace weft::network
