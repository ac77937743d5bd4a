// Builds a network with the installed headers and libraries and measures it.
#include <weft/analysis/distances.hpp>
#include <weft/topology/registry.hpp>

#include <cstdio>

int main() {
  const weft::Topology kautz = weft::make_topology("kautz:4,2");
  const int diameter = weft::analysis::summarize_distances(kautz).diameter();
  std::printf("%s: %d nodes, %d links, diameter %d\n", kautz.name().c_str(), kautz.node_count(),
              kautz.link_count(), diameter);
  // K(4, 2) has 4^2 + 4 nodes of out-degree 4 and diameter 2.
  return kautz.node_count() == 20 && kautz.link_count() == 80 && diameter == 2 ? 0 : 1;
}
