#include "weft/network/wiring.hpp"

namespace weft::network {

Wiring::Wiring(const Fabric& fabric)
    : topology(fabric.topology()),
      router(static_cast<std::size_t>(topology.node_count())),
      leaves(router.size()),
      passing(fabric) {
  for (const NodeId node : topology.nodes()) {
    router[node.index()] = node.value();
    if (!topology.is_host(node) || topology.out_degree(node) != 1 || topology.in_degree(node) != 1)
      continue;
    const LinkId up = topology.out_links(node)[0], down = topology.in_links(node)[0];
    if (topology.is_host(topology.head(up)) || topology.head(up) != topology.tail(down)) continue;
    router[node.index()] = topology.head(up).value();
    leaves[node.index()] = {up.value(), down.value()};
  }
}

}  // namespace weft::network
