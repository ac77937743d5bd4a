#include "flat_graph.hpp"

#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::analysis {

namespace {

constexpr std::int32_t kLeftOut = -1;

// The subgraph induced by `nodes`.
FlatGraph induced(const Topology& topology, std::vector<NodeId> nodes) {
  IdVector<NodeId, std::int32_t> number(topology.node_count(), kLeftOut);
  for (std::size_t i = 0; i < nodes.size(); ++i) number[nodes[i]] = static_cast<std::int32_t>(i);

  FlatGraph graph;
  graph.node_count = static_cast<std::int32_t>(nodes.size());
  for (NodeId node : nodes) {
    for (LinkId link : topology.out_links(node)) {
      const std::int32_t head = number[topology.head(link)];
      if (head == kLeftOut) continue;
      graph.heads.add(head);
      graph.cables.push_back(topology.cable(link).value());
    }
    for (LinkId link : topology.in_links(node)) {
      const std::int32_t tail = number[topology.tail(link)];
      if (tail != kLeftOut) graph.tails.add(tail);
    }
    graph.heads.end_row();
    graph.tails.end_row();
  }
  WEFT_ASSERT(graph.heads.size() == graph.node_count && graph.tails.size() == graph.node_count);
  WEFT_ASSERT(graph.heads.values().size() ==
              graph.tails.values().size());  // each link out is one in
  graph.node_of = std::move(nodes);
  return graph;
}

}  // namespace

FlatGraph flatten(const Topology& topology) {
  std::vector<NodeId> all;
  for (NodeId node : topology.nodes()) all.push_back(node);
  return induced(topology, std::move(all));
}

FlatGraph flatten_core(const Topology& topology) {
  if (!topology.has_switches()) return flatten(topology);
  const auto switches = topology.switches();
  return induced(topology, {switches.begin(), switches.end()});
}

}  // namespace weft::analysis
