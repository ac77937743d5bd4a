#include "weft/topology/in_arcs.hpp"

namespace weft::topology {

namespace {

template <class Delay>
graph::InArcs arcs_of(const Fabric& fabric, graph::Sense sense, Delay&& delay) {
  const Topology& topology = fabric.topology();
  return graph::InArcs(topology.node_count(), sense, [&](std::int32_t node, auto&& add) {
    if (sense == graph::Sense::along)
      for (const LinkId link : topology.in_links(NodeId(node)))
        add(topology.tail(link).value(), link.value(), fabric.bandwidth_Bps(link), delay(link));
    else
      for (const LinkId link : topology.out_links(NodeId(node)))
        add(topology.head(link).value(), link.value(), fabric.bandwidth_Bps(link), delay(link));
  });
}

}  // namespace

graph::InArcs in_arcs(const Fabric& fabric, graph::Sense sense) {
  return arcs_of(fabric, sense, [](LinkId) { return std::int64_t{0}; });
}

graph::InArcs delayed_in_arcs(const Fabric& fabric, graph::Sense sense) {
  return arcs_of(fabric, sense, [&](LinkId link) { return fabric.latency_ps(link); });
}

}  // namespace weft::topology
