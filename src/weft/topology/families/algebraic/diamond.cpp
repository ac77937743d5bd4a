#include "weft/topology/families/algebraic/diamond.hpp"

#include <array>

#include "weft/topology/families/families.hpp"

namespace weft::topology {

Topology diamond() {
  constexpr std::array<std::array<int, 2>, 8> heads{
      {{1, 2}, {2, 4}, {3, 6}, {0, 4}, {5, 7}, {3, 6}, {1, 7}, {0, 5}}};
  TopologyBuilder builder(8);
  for (std::size_t u = 0; u < heads.size(); ++u)
    for (int v : heads[u]) builder.add_link(NodeId(u), NodeId(v));
  builder.set_nominal_degree(2);
  return std::move(builder).build({"diamond", {}, {}});
}

Family diamond_family() {
  return make_family("diamond", "", "Digraph of 8 nodes, degree 2 and diameter 3", "diamond",
                     [](const Parameters& parameters) {
                       if (!parameters.text().empty()) parameters.fail("diamond has no parameters");
                       return diamond();
                     });
}

}  // namespace weft::topology
