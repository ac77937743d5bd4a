// Diamond.
#include <array>

#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

// Eight nodes of in- and out-degree 2 with diameter 3, one-way, not isomorphic to its transpose.
// Its allgather takes 3 steps at T_B = 7/8, both optimal, though no breadth-first schedule does.
// The paper's drawing is lost. Among the 256 digraphs (up to isomorphism) of this size, degree and
// diameter without loops or double links, only this one and its transpose have the throughput that
// the paper's Table 7 prints (3/20 units a pair); both have such a schedule, so that one of them
// is Diamond. Source: Zhao et al., Table 9 and Figure 19.
Topology diamond() {
  constexpr std::array<std::array<int, 2>, 8> heads{
      {{1, 2}, {2, 4}, {3, 6}, {0, 4}, {5, 7}, {3, 6}, {1, 7}, {0, 5}}};
  TopologyBuilder builder(8);
  for (std::size_t u = 0; u < heads.size(); ++u)
    for (int v : heads[u]) builder.add_link(NodeId(u), NodeId(v));
  builder.set_nominal_degree(2);
  return std::move(builder).build({"diamond", {}, {}});
}

}  // namespace

Family diamond_family() {
  return make_family("diamond", "", "Digraph of 8 nodes, degree 2 and diameter 3", "diamond",
                     [](const Parameters& parameters) {
                       if (!parameters.text().empty()) parameters.fail("diamond has no parameters");
                       return diamond();
                     });
}

}  // namespace weft::topology
