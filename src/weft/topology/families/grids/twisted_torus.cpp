#include "weft/topology/families/grids/twisted_torus.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

namespace {

// The short extent k. Throws InvalidInput unless the extents are k and 2k.
int short_extent(const std::vector<int>& extents, const Expression& name) {
  require(extents.size() == 2 || extents.size() == 3,
          "{} has {} dimensions (a twisted torus has 2 or 3); use torus:m1xm2x...",
          name.to_string(), extents.size());
  const int k = *std::min_element(extents.begin(), extents.end());
  require(k >= 2, "extent {} of {} is too small (needs 2 or more)", k, name.to_string());
  bool twisted = false;
  for (int extent : extents) {
    const bool is_long = extent == 2 * std::int64_t{k};
    require(is_long || extent == k,
            "extents of {} do not fit a twist (expected k and 2k, as in 4x8, 4x4x8 or 4x8x8)",
            name.to_string());
    twisted |= is_long;
  }
  require(twisted, "{} has no extent that is double another, to shift along; use torus:{}",
          name.to_string(), name.parameters);
  return k;
}

// The node one up (or down) along a dimension.
std::int64_t step(const Extents& shape, int k, std::int64_t node, int dimension, int direction) {
  std::vector<int> at = shape.coordinates(node);
  const auto d = static_cast<std::size_t>(dimension);
  const int extent = shape.extents[d];
  at[d] += direction;
  const bool closes = at[d] < 0 || at[d] == extent;
  at[d] = (at[d] + extent) % extent;
  if (closes && extent == k)
    for (std::size_t i = 0; i < at.size(); ++i)
      if (shape.extents[i] == 2 * k) at[i] = (at[i] + k) % (2 * k);
  return shape.node(at);
}

// The quotient of Z^n by the lattice of a twisted torus is Z_m1 x Z_m2 x ... with the extents as
// moduli: k e_s is the sum of k e_l over the long dimensions l for every short one s, so that
// e_s - (sum of e_l) has order k, and every long coordinate counts the short ones too.
CayleyGroup group_of(const Extents& shape) {
  const int longest = *std::ranges::max_element(shape.extents);
  CayleyGroup result{Group::abelian(shape.extents)};
  for (std::int64_t node = 0; node < shape.size(); ++node) {
    auto at = shape.coordinates(node);
    int short_sum = 0;
    for (std::size_t d = 0; d < at.size(); ++d)
      short_sum += shape.extents[d] == longest ? 0 : at[d];
    for (std::size_t d = 0; d < at.size(); ++d)
      if (shape.extents[d] == longest) at[d] = (at[d] + short_sum) % longest;
    result.elements.push_back(static_cast<Group::Element>(shape.node(at)));
  }
  return result;
}

}  // namespace

Topology twisted_torus(const std::vector<int>& extents) {
  Expression name{"twisted-torus", join(extents, "x"), {}};
  const int k = short_extent(extents, name);
  const Extents shape{extents};
  const int dimensions = shape.dimensions();
  double nodes = 1;
  for (int extent : extents) nodes *= extent;
  require_size(name.to_string(), nodes, nodes * 2 * dimensions);

  TopologyBuilder builder(shape.size());
  std::vector<ClassId> classes;
  for (int d = 0; d < dimensions; ++d) classes.push_back(builder.link_class(dimension_name(d)));
  for (std::int64_t u = 0; u < shape.size(); ++u) {
    for (int d = 0; d < dimensions; ++d) {
      for (int down : {0, 1}) {  // handles count 2 n a node: dimension, then up and down
        const std::int64_t v = step(shape, k, u, d, down == 0 ? 1 : -1);
        const auto handle = builder.add_link(NodeId(u), NodeId(v), classes[d]);
        const std::int64_t back = (v * dimensions + d) * 2 + 1 - down;
        if (back < handle) builder.pair(static_cast<TopologyBuilder::Handle>(back), handle);
      }
    }
  }
  builder.set_nominal_degree(2 * dimensions);
  builder.set_facets({{group_of(shape)}, {}});
  return std::move(builder).build(std::move(name));
}

Family twisted_torus_family() {
  return make_family("twisted-torus", "m1xm2[xm3]",
                     "Torus of extents k and 2k in which a ring of length k closes with a shift by "
                     "k along the long dimensions",
                     "twisted-torus:4x4x8", [](const Parameters& parameters) {
                       return twisted_torus(parameters.extents());
                     });
}

}  // namespace weft::topology
