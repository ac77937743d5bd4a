// The twisted hypercube.
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

// A hypercube in which the edges 0-1 and 2-3 of a 4-cycle are replaced by 0-3 and 1-2, which makes
// the diameter dimensions - 1. 2^dimensions nodes of degree `dimensions`; the k-th link of a node
// is that of hypercube:n, bit k, the swapped ones in bit 0's place. dimensions >= 3. Throws
// InvalidInput. Source: Esfahanian, Ni, Sagan, "The Twisted N-Cube with Application to
// Multiprocessing", IEEE ToC 40(1), 1991.
Topology twisted_hypercube(int dimensions) {
  require(dimensions >= 3,
          "a twisted-hypercube of {} dimensions is too small (needs 3 or more); use hypercube:N",
          dimensions);
  Expression name{"twisted-hypercube", std::to_string(dimensions), {}};
  const double size = std::pow(2.0, dimensions);
  require_size(name.to_string(), size, size * dimensions);
  TopologyBuilder builder(std::int64_t{1} << dimensions);
  for (std::int64_t u = 0; u < std::int64_t{1} << dimensions; ++u) {
    for (int bit = 0; bit < dimensions; ++bit) {
      const std::int64_t v = u < 4 && bit == 0 ? u ^ 3 : u ^ (std::int64_t{1} << bit);
      const auto handle = builder.add_link(NodeId(u), NodeId(v));
      if (v < u) builder.pair(static_cast<TopologyBuilder::Handle>(v * dimensions + bit), handle);
    }
  }
  builder.set_nominal_degree(dimensions);
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family twisted_hypercube_family() {
  return make_family("twisted-hypercube", "n", "Hypercube with two crossed edges: diameter n - 1",
                     "twisted-hypercube:3", [](const Parameters& parameters) {
                       return twisted_hypercube(parameters.integers(1)[0]);
                     });
}

}  // namespace weft::topology
