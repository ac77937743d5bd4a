// Kautz digraphs, in the arithmetic form of Imase and Itoh.
//
// K(d, k) has n = d^k + d^(k-1) nodes, in- and out-degree d and diameter k, which is the least
// diameter that a digraph of this size and degree can have (Moore bound). Kautz labels nodes by
// words; numbering them 0..n-1 turns "shift and append" into one congruence, so no label is built,
// and the congruence makes sense for every n: the generalised Kautz digraphs.
// Source: Imase, Itoh, "A Design for Directed Graphs with Minimum Diameter", IEEE ToC C-32(8),
// 1983.
#include "weft/topology/families/kautz.hpp"

#include <cmath>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

// The words that the nodes stand for: K(d, k) when n = d^k + d^(k-1).
std::optional<KautzView> words(std::int64_t d, std::int64_t n) {
  int diameter = 1;
  for (std::int64_t size = d + 1; size <= n; size *= d, ++diameter)
    if (size == n) return KautzView{static_cast<int>(d), diameter};
  return std::nullopt;
}

// Links u -> -(d u + j) mod n, j = 1..d.
Topology imase_itoh(std::int64_t d, std::int64_t n, Expression expression) {
  TopologyBuilder builder(n);
  for (std::int64_t u = 0; u < n; ++u)
    for (std::int64_t j = 1; j <= d; ++j)
      builder.add_link(NodeId(u), NodeId(n - 1 - (d * u + j - 1) % n));
  builder.set_nominal_degree(static_cast<int>(d));
  if (const auto kautz = words(d, n)) builder.set_facets({{*kautz}, {}});
  return std::move(builder).build(std::move(expression));
}

}  // namespace

Topology kautz(int degree, int diameter) {
  require(degree >= 2, "degree {} is too small for Kautz (needs 2 or more); use uniring:N", degree);
  require(diameter >= 1, "diameter {} is too small for Kautz (needs 1 or more)", diameter);
  Expression name{"kautz", fmt::format("{},{}", degree, diameter), {}};
  const double size = std::pow(degree, diameter) * (1.0 + 1.0 / degree);
  require_size(name.to_string(), size, size * degree);
  std::int64_t power = 1;
  for (int i = 1; i < diameter; ++i) power *= degree;
  return imase_itoh(degree, power * degree + power, std::move(name));
}

Topology generalized_kautz(int degree, int nodes) {
  require(degree >= 2, "degree {} is too small for genkautz (needs 2 or more); use uniring:N",
          degree);
  require(nodes > degree,
          "genkautz of degree {} needs at least {} nodes (not {}); lower the degree", degree,
          std::int64_t{degree} + 1, nodes);
  Expression name{"genkautz", fmt::format("{},{}", degree, nodes), {}};
  require_size(name.to_string(), nodes, 1.0 * nodes * degree);
  return imase_itoh(degree, nodes, std::move(name));
}

Family kautz_family() {
  return make_family(
      "kautz", "d,k",
      "Kautz digraph with d^k + d^(k-1) nodes, degree d and diameter k, the minimum for its size",
      "kautz:16,2", [](const Parameters& parameters) {
        const auto values = parameters.integers(2);
        return kautz(values[0], values[1]);
      });
}

Family generalized_kautz_family() {
  return make_family("genkautz", "d,n",
                     "Generalized Kautz digraph of any size: n nodes (n > d), degree d, diameter "
                     "at most ceil(log_d n)",
                     "genkautz:4,1024", [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return generalized_kautz(values[0], values[1]);
                     });
}

}  // namespace weft::topology
