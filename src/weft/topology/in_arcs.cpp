#include "weft/topology/in_arcs.hpp"

namespace weft::topology {

graph::InArcs in_arcs(const Fabric& fabric, graph::Sense sense) {
  const Topology& topology = fabric.topology();
  return graph::InArcs(topology.node_count(), sense, [&](std::int32_t node, auto&& add) {
    if (sense == graph::Sense::along)
      for (const LinkId link : topology.in_links(NodeId(node)))
        add(topology.tail(link).value(), link.value(), fabric.bandwidth_Bps(link));
    else
      for (const LinkId link : topology.out_links(NodeId(node)))
        add(topology.head(link).value(), link.value(), fabric.bandwidth_Bps(link));
  });
}

}  // namespace weft::topology
