// Builds a network with the installed headers and libraries and measures it.
#include <weft/analysis/distances.hpp>
#include <weft/topology/topology.hpp>

#include <cstdio>
#include <utility>

int main() {
  const int nodes = 8;
  weft::TopologyBuilder builder(nodes);
  for (int u = 0; u < nodes; ++u) builder.add_cable(weft::NodeId(u), weft::NodeId((u + 1) % nodes));
  const weft::Topology ring =
      std::move(builder).build(weft::Expression{.name = "ring", .parameters = "8", .children = {}});

  const int diameter = weft::analysis::summarize_distances(ring).diameter();
  std::printf("ring:8: %d nodes, %d links, diameter %d\n", ring.node_count(), ring.link_count(),
              diameter);
  return ring.node_count() == 8 && ring.link_count() == 16 && diameter == 4 ? 0 : 1;
}
