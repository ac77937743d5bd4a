#include "weft/topology/families/grids/hyperx.hpp"

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/abelian_cayley.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

namespace {

// `count` copies of each offset of a dimension; copy c of an offset is the reverse of copy c of its
// negative.
void append_clique(std::vector<Generator>& generators, int extent, int dimension, int count) {
  const std::size_t first = generators.size();
  for (int offset = 1; offset < extent; ++offset) {
    const auto opposite = static_cast<std::size_t>(extent - offset - 1);
    for (std::size_t copy = 0; copy < static_cast<std::size_t>(count); ++copy)
      generators.push_back({dimension, offset,
                            first + opposite * static_cast<std::size_t>(count) + copy,
                            dimension_name(dimension)});
  }
}

// "4x4,2,1": the extents, then a count for each, one for all, or none for 1.
HyperxView read(const Parameters& parameters) {
  const std::string_view text = parameters.text();
  if (text.empty()) parameters.fail("the extents are missing");
  HyperxView view;
  const auto parts = split(text, ',');
  const std::string extents = lower(parts[0]);
  for (std::string_view extent : split(extents, 'x'))
    view.extents.push_back(parameters.integer(extent));
  for (std::size_t i = 1; i < parts.size(); ++i)
    view.parallel.push_back(parameters.integer(parts[i]));
  if (view.parallel.empty()) view.parallel = {1};
  if (view.parallel.size() == 1) view.parallel.resize(view.extents.size(), view.parallel[0]);
  return view;
}

}  // namespace

Topology hyperx(const std::vector<int>& extents, const std::vector<int>& parallel) {
  Expression name{"hyperx", join(extents, "x") + "," + join(parallel, ","), {}};
  require(parallel.size() == extents.size(),
          "{} has {} counts of parallel links for {} extents; give one for each dimension, or "
          "one for all",
          name.to_string(), parallel.size(), extents.size());
  double nodes = 1, degree = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    require(extents[i] >= 2, "extent {} of {} is too small (needs 2 or more); leave it out",
            extents[i], name.to_string());
    require(parallel[i] >= 1, "{} parallel links in {} are too few (needs 1 or more)", parallel[i],
            name.to_string());
    nodes *= extents[i];
    degree += parallel[i] * (extents[i] - 1.0);
  }
  require_size(name.to_string(), nodes, nodes * degree);
  std::vector<Generator> generators;
  for (std::size_t i = 0; i < extents.size(); ++i)
    append_clique(generators, extents[i], static_cast<int>(i), parallel[i]);
  Coordinates lines = coordinates(extents, LineShape::complete);
  for (std::size_t i = 0; i < extents.size(); ++i) lines.dimensions[i].parallel = parallel[i];
  return abelian_cayley(extents, generators, std::move(name), std::move(lines));
}

Family hyperx_family() {
  return make_family("hyperx", "m1xm2x...[,k1,k2,...]",
                     "HyperX: fully connected in each dimension by k_i parallel links; one k "
                     "serves all dimensions, and the default is 1",
                     "hyperx:4x4,2,1", [](const Parameters& parameters) {
                       const HyperxView view = read(parameters);
                       return hyperx(view.extents, view.parallel);
                     });
}

}  // namespace weft::topology
