// Flattened butterflies: the routers of each row of a k-ary n-fly (a butterfly of n stages) become
// one router. Its k^(n-1) routers have k hosts each and are a Hamming network of n - 1 dimensions
// of extent k. It is hosts(k, hamming:kxkx...) under the name of its paper. Source: Kim, Dally,
// Abts, "Flattened Butterfly: A Cost-Efficient Topology for High-Radix Networks", ISCA 2007.
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/families/grids/hamming.hpp"
#include "weft/topology/functions/functions.hpp"

namespace weft::topology {

namespace {

Topology flattened_butterfly(int k, int n) {
  const Expression name{"flattened-butterfly", fmt::format("{},{}", k, n), {}};
  require(k >= 2, "k={} is too small for flattened-butterfly (needs 2 or more hosts a router)", k);
  require(
      n >= 2,
      "n={} is too small for flattened-butterfly (needs 2 or more; one router with its hosts is "
      "\"xgft:1;{};1\")",
      n, k);
  const double routers = std::pow(k, n - 1.0);
  require_size(name.to_string(), routers * (1.0 + k), routers * ((n - 1.0) * (k - 1.0) + 2.0 * k));
  return attach_hosts_as(name, k, {hamming(std::vector<int>(n - 1, k)), {}}).topology;
}

}  // namespace

Family flattened_butterfly_family() {
  return make_family(
      "flattened-butterfly", "k,n",
      "k-ary n-flat: routers with k hosts each, fully connected in n - 1 dimensions of extent k",
      "flattened-butterfly:4,3", [](const Parameters& parameters) {
        const auto values = parameters.integers(2);
        return flattened_butterfly(values[0], values[1]);
      });
}

}  // namespace weft::topology
