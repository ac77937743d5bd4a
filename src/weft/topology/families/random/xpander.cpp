// Every edge of K_{d+1} becomes a random perfect matching of the k copies of its ends. Nearly all
// lifts are good expanders (Friedman, "Relative Expanders or Weakly Relatively Ramanujan Graphs",
// Duke Math. J. 118, 2003). Walks round the cycles of K_{d+1} permute the copies of a node in
// r = d (d - 1) / 2 independent random ways, and a lift is disconnected where all of these keep a
// part of the copies to itself: with probability 1/8 for d = 3, k = 2, about k^(1 - r) for a large
// k. Then it is drawn again.
#include "weft/topology/families/random/xpander.hpp"

#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/base/union_find.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

struct Cable {
  int u, v;
};

std::vector<Cable> random_lift(int degree, int k, Rng rng) {
  std::vector<Cable> cables;
  std::vector<int> matching(k);
  for (int a = 0; a <= degree; ++a) {
    for (int b = a + 1; b <= degree; ++b) {
      std::iota(matching.begin(), matching.end(), b * k);
      rng.shuffle(matching);
      for (int i = 0; i < k; ++i) cables.push_back({a * k + i, matching[i]});
    }
  }
  return cables;
}

bool is_connected(int nodes, const std::vector<Cable>& cables) {
  UnionFind joined(static_cast<std::size_t>(nodes));
  for (const Cable& cable : cables) joined.join(cable.u, cable.v);
  for (int u = 0; u < nodes; ++u)
    if (joined.find(u) != 0) return false;
  return true;
}

}  // namespace

Topology xpander(int degree, int k, std::uint64_t seed) {
  require(degree >= 3,
          "degree {} is too small for xpander (needs 3 or more); use ring:N for degree 2", degree);
  require(k >= 1, "a lift of {} copies is too small for xpander (needs 1 or more)", k);
  Expression name{"xpander", fmt::format("{},{},seed={}", degree, k, seed), {}};
  const double nodes = (degree + 1.0) * k;
  require_size(name.to_string(), nodes, nodes * degree);
  const Rng rng(seed);
  std::vector<Cable> cables;
  for (std::uint64_t attempt = 0; attempt == 0 || !is_connected(static_cast<int>(nodes), cables);
       ++attempt)
    cables = random_lift(degree, k, rng.split(attempt));
  TopologyBuilder builder(static_cast<std::int64_t>(nodes));
  for (const Cable& cable : cables) builder.add_cable(NodeId(cable.u), NodeId(cable.v));
  builder.set_nominal_degree(degree);
  builder.set_facets({{XpanderView{degree, k, seed}}, {}});
  return std::move(builder).build(std::move(name));
}

Family xpander_family() {
  return make_family(
      "xpander", "d,k,seed=s",
      "Connected random k-lift of the complete graph of degree d; the default seed is 1",
      "xpander:8,16,seed=1", [](const Parameters& parameters) {
        const SeededIntegers values = parameters.seeded_integers(2, "d,k");
        return xpander(values.integers[0], values.integers[1], values.seed);
      });
}

}  // namespace weft::topology
