#include "weft/topology/families/grids/torus.hpp"

#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/abelian_cayley.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

Topology torus(const std::vector<int>& extents) {
  Expression name{"torus", join(extents, "x"), {}};
  std::vector<Generator> generators;
  for (int d = 0; d < static_cast<int>(extents.size()); ++d) {
    const int extent = extents[d];
    require(extent >= 2, "extent {} of {} is too small (needs 2 or more); leave it out", extent,
            name.to_string());
    append_generators(generators, extent, d, 1, dimension_name(d));
  }
  return abelian_cayley(extents, generators, std::move(name),
                        coordinates(extents, LineShape::ring));
}

Topology ring(int nodes) {
  require(nodes >= 2, "a ring of {} is too small (needs 2 or more)", counted(nodes, "node"));
  std::vector<Generator> generators;
  append_generators(generators, nodes, 0, 1, "link");
  return abelian_cayley({nodes}, generators, {"ring", std::to_string(nodes), {}},
                        coordinates({nodes}, LineShape::ring));
}

Topology uniring(int nodes) {
  require(nodes >= 2, "a uniring of {} is too small (needs 2 or more)", counted(nodes, "node"));
  Expression name{"uniring", std::to_string(nodes), {}};
  require_size(name.to_string(), nodes, nodes);
  TopologyBuilder builder(nodes);
  for (int u = 0; u < nodes; ++u) builder.add_link(NodeId(u), NodeId(u + 1 < nodes ? u + 1 : 0));
  builder.set_nominal_degree(1);
  builder.set_facets({{CayleyGroup{Group::cyclic(nodes)}}, {}});
  return std::move(builder).build(std::move(name));
}

Topology hypercube(int dimensions) {
  require(dimensions >= 1, "a hypercube of {} dimensions is too small (needs 1 or more)",
          dimensions);
  Expression name{"hypercube", std::to_string(dimensions), {}};
  require_size(name.to_string(), std::pow(2.0, dimensions), std::pow(2.0, dimensions) * dimensions);
  std::vector<Generator> generators;
  for (int d = 0; d < dimensions; ++d) append_generators(generators, 2, d, 1, "link");
  const std::vector<int> extents(dimensions, 2);
  return abelian_cayley(extents, generators, std::move(name),
                        coordinates(extents, LineShape::complete));
}

Family torus_family() {
  return make_family("torus", "m1xm2x...",
                     "Grid with a ring along each dimension; extent 2 is one cable", "torus:3x3x2",
                     [](const Parameters& parameters) { return torus(parameters.extents()); });
}

Family hypercube_family() {
  return make_family(
      "hypercube", "n", "Hypercube of n dimensions with 2^n nodes", "hypercube:10",
      [](const Parameters& parameters) { return hypercube(parameters.integers(1)[0]); });
}

Family ring_family() {
  return make_family("ring", "n", "Ring of n nodes with two-way cables", "ring:8",
                     [](const Parameters& parameters) { return ring(parameters.integers(1)[0]); });
}

}  // namespace weft::topology
