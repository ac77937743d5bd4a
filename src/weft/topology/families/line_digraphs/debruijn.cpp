// De Bruijn digraphs.
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

// B(degree, diameter): degree^diameter nodes, links u -> (degree u + j) mod n for j =
// 0..degree-1, one-way; the nodes of one repeated digit carry a self-loop, which is kept. degree
// >= 2, diameter >= 1. Throws InvalidInput. Source: de Bruijn, "A Combinatorial Problem", Proc.
// KNAW 49, 1946.
Topology debruijn(int degree, int diameter) {
  require(degree >= 2, "degree {} is too small for debruijn (needs 2 or more); use uniring:N",
          degree);
  require(diameter >= 1, "diameter {} is too small for debruijn (needs 1 or more)", diameter);
  Expression name{"debruijn", fmt::format("{},{}", degree, diameter), {}};
  const double size = std::pow(degree, diameter);
  require_size(name.to_string(), size, size * degree);
  const std::int64_t d = degree;
  const auto n = static_cast<std::int64_t>(size);
  TopologyBuilder builder(n);
  for (std::int64_t u = 0; u < n; ++u)
    for (std::int64_t j = 0; j < d; ++j) builder.add_link(NodeId(u), NodeId((d * u + j) % n));
  builder.set_nominal_degree(degree);
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family debruijn_family() {
  return make_family("debruijn", "d,n", "de Bruijn digraph with d^n nodes, degree d and diameter n",
                     "debruijn:4,4", [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return debruijn(values[0], values[1]);
                     });
}

}  // namespace weft::topology
