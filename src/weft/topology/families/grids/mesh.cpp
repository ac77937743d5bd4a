#include "weft/topology/families/grids/mesh.hpp"

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

Topology mesh(const std::vector<int>& extents) {
  Expression name{"mesh", join(extents, "x"), {}};
  double nodes = 1;
  for (int extent : extents) {
    require(extent >= 2, "extent {} of {} is too small (needs 2 or more); leave it out", extent,
            name.to_string());
    nodes *= extent;
  }
  require_size(name.to_string(), nodes, nodes * 2.0 * static_cast<double>(extents.size()));

  TopologyBuilder builder(static_cast<std::int64_t>(nodes));
  std::vector<ClassId> classes;
  for (int d = 0; d < static_cast<int>(extents.size()); ++d)
    classes.push_back(builder.link_class(dimension_name(d)));
  // The link up from each node and dimension, until its neighbour adds the link down.
  std::vector<TopologyBuilder::Handle> up(static_cast<std::size_t>(nodes) * extents.size());
  for (std::int64_t u = 0; u < static_cast<std::int64_t>(nodes); ++u) {
    std::int64_t stride = 1;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const std::int64_t coordinate = u / stride % extents[d];
      if (coordinate + 1 < extents[d])
        up[static_cast<std::size_t>(u) * extents.size() + d] =
            builder.add_link(NodeId(u), NodeId(u + stride), classes[d]);
      if (coordinate > 0) {
        const auto below = static_cast<std::size_t>(u - stride);
        builder.pair(up[below * extents.size() + d],
                     builder.add_link(NodeId(u), NodeId(u - stride), classes[d]));
      }
      stride *= extents[d];
    }
  }
  builder.set_facets({{coordinates(extents, LineShape::path)}, {}});
  return std::move(builder).build(std::move(name));
}

Family mesh_family() {
  return make_family("mesh", "m1xm2x...", "Grid with a path along each dimension", "mesh:4x4",
                     [](const Parameters& parameters) { return mesh(parameters.extents()); });
}

}  // namespace weft::topology
