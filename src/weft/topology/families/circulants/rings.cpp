#include "weft/topology/families/circulants/rings.hpp"

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/abelian_cayley.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/families/grids/torus.hpp"

namespace weft::topology {

Topology uniring(int degree, int nodes) {
  require(degree >= 1, "degree {} is too small for uniring (needs 1 or more)", degree);
  if (degree == 1) return uniring(nodes);
  require(nodes >= 2, "a uniring of {} is too small (needs 2 or more)", counted(nodes, "node"));
  Expression name{"uniring", fmt::format("{},{}", degree, nodes), {}};
  require_size(name.to_string(), nodes, 1.0 * degree * nodes);
  TopologyBuilder builder(nodes);
  for (int u = 0; u < nodes; ++u)
    for (int k = 0; k < degree; ++k) builder.add_link(NodeId(u), NodeId(u + 1 < nodes ? u + 1 : 0));
  builder.set_nominal_degree(degree);
  builder.set_facets({{CayleyGroup{Group::cyclic(nodes)}}, {}});
  return std::move(builder).build(std::move(name));
}

Topology biring(int degree, int nodes) {
  require(degree >= 2 && degree % 2 == 0,
          "invalid degree {} for biring (expected an even number of at least 2); use "
          "uniring:d,m",
          degree);
  require(nodes >= 3, "a biring of {} is too small (needs 3 or more)", counted(nodes, "node"));
  if (degree == 2) return ring(nodes);
  Expression name{"biring", fmt::format("{},{}", degree, nodes), {}};
  require_size(name.to_string(), nodes, 1.0 * degree * nodes);
  std::vector<Generator> generators;
  for (int k = 0; k < degree; k += 2) append_generators(generators, nodes, 0, 1, "link");
  return abelian_cayley({nodes}, generators, std::move(name));
}

int shifted_ring_jump(int nodes) {
  const int root = static_cast<int>(std::lround(std::sqrt(nodes)));
  int best = 1;
  double least = nodes;
  for (int away = 0; away <= nodes && best == 1; ++away) {
    for (int jump : {root - away, root + away}) {
      const double distance = std::abs(jump - std::sqrt(nodes));
      if (jump < 2 || jump > nodes / 2 || std::gcd(jump, nodes) != 1 || distance >= least) continue;
      best = jump;
      least = distance;
    }
  }
  return best;
}

Topology shifted_ring(int nodes) {
  require(nodes >= 3, "a shifted-ring of {} is too small (needs 3 or more)",
          counted(nodes, "node"));
  std::vector<Generator> generators;
  append_generators(generators, nodes, 0, 1, "link");
  append_generators(generators, nodes, 0, shifted_ring_jump(nodes), "link");
  return abelian_cayley({nodes}, generators, {"shifted-ring", std::to_string(nodes), {}});
}

Family uniring_family() {
  return make_family(
      "uniring", "[d,]n", "One-way ring of n nodes, with d parallel links if d is given",
      "uniring:8", [](const Parameters& parameters) {
        const auto values = parameters.integers_from(1);
        if (values.size() > 2) parameters.integers(2);
        return values.size() == 1 ? uniring(values[0]) : uniring(values[0], values[1]);
      });
}

Family biring_family() {
  return make_family("biring", "d,n", "d/2 parallel two-way rings of n nodes", "biring:4,8",
                     [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return biring(values[0], values[1]);
                     });
}

Family shifted_ring_family() {
  return make_family(
      "shifted-ring", "n",
      "Two two-way rings with the jumps 1 and the coprime number nearest to sqrt(n): degree 4",
      "shifted-ring:12",
      [](const Parameters& parameters) { return shifted_ring(parameters.integers(1)[0]); });
}

}  // namespace weft::topology
