// The directed circulant of degree d on d + 2 nodes.
#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

// degree + 2 nodes with one-way links u -> u + 1, ..., u + degree, in this order: every node but
// the one before it in one step, diameter 2. Its allgather is Moore- and bandwidth-optimal. degree
// >= 1. Throws InvalidInput. Source: Zhao et al., Table 9.
Topology directed_circulant(int degree) {
  require(degree >= 1, "degree {} is too small for directed-circulant (needs 1 or more)", degree);
  Expression name{"directed-circulant", std::to_string(degree), {}};
  const std::int64_t nodes = std::int64_t{degree} + 2;
  require_size(name.to_string(), static_cast<double>(nodes), static_cast<double>(nodes) * degree);
  TopologyBuilder builder(nodes);
  for (std::int64_t u = 0; u < nodes; ++u)
    for (std::int64_t jump = 1; jump <= degree; ++jump)
      builder.add_link(NodeId(u), NodeId((u + jump) % nodes));
  builder.set_nominal_degree(degree);
  builder.set_facets({{CayleyGroup{Group::cyclic(static_cast<int>(nodes))}}, {}});
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family directed_circulant_family() {
  return make_family("directed-circulant", "d", "One-way jumps 1 to d on d + 2 nodes: diameter 2",
                     "directed-circulant:4", [](const Parameters& parameters) {
                       return directed_circulant(parameters.integers(1)[0]);
                     });
}

}  // namespace weft::topology
