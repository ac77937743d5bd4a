#include "weft/topology/families/grids/hamming.hpp"

#include "weft/base/error.hpp"
#include "weft/topology/abelian_cayley.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

Topology named_hamming(const std::vector<int>& extents, Expression expression) {
  double nodes = 1, degree = 0;
  for (int extent : extents) {
    require(extent >= 2, "extent {} of {} is too small (needs 2 or more); leave it out", extent,
            expression.to_string());
    nodes *= extent;
    degree += extent - 1.0;
  }
  require_size(expression.to_string(), nodes, nodes * degree);
  std::vector<Generator> generators;
  for (int d = 0; d < static_cast<int>(extents.size()); ++d) {
    const int extent = extents[d];
    const std::size_t first = generators.size();
    for (int offset = 1; offset < extent; ++offset)
      generators.push_back(
          {d, offset, first + static_cast<std::size_t>(extent - offset - 1), dimension_name(d)});
  }
  return abelian_cayley(extents, generators, std::move(expression),
                        coordinates(extents, LineShape::complete));
}

}  // namespace

Topology hamming(const std::vector<int>& extents) {
  return named_hamming(extents, {"hamming", join(extents, "x"), {}});
}

Topology two_dimensional_fully_connected(int width, int height) {
  return named_hamming({width, height}, {"2dfc", fmt::format("{}x{}", width, height), {}});
}

Family two_dimensional_fully_connected_family() {
  return make_family(
      "2dfc", "m1xm2",
      "Grid of m1 by m2 nodes whose rows and columns are fully connected: diameter 2", "2dfc:8x8",
      [](const Parameters& parameters) {
        const auto extents = parameters.extents();
        if (extents.size() != 2) parameters.fail("2dfc has two extents");
        return two_dimensional_fully_connected(extents[0], extents[1]);
      });
}

Family hamming_family() {
  return make_family("hamming", "m1xm2x...",
                     "Grid of n dimensions, each fully connected: diameter n", "hamming:4x4x4",
                     [](const Parameters& parameters) { return hamming(parameters.extents()); });
}

}  // namespace weft::topology
