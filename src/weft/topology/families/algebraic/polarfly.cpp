// Any two points u, v are orthogonal to exactly one point, their cross product, so that two nodes
// are linked or have one common neighbour (which may be u or v itself, and then they are linked).
#include "weft/topology/families/algebraic/polarfly.hpp"

#include "finite_field.hpp"
#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

constexpr int kLargest = 577;  // above it there are too many links

struct Point {
  int x, y, z;
};

Point point_of(int node, int q) {
  WEFT_ASSERT(node >= 0 && node <= q * q + q);
  if (node == 0) return {0, 0, 1};
  if (node <= q) return {0, 1, node - 1};
  return {1, (node - 1 - q) / q, (node - 1 - q) % q};
}

int first_of_pencil(int x, int y, int q) {
  return x == 0 ? 1 : 1 + q + q * y;
}

// The q + 1 points orthogonal to u, in increasing order: those (x, y, z), (x, y) = (0, 1) or (1,
// y), whose z is fixed by u, or, if u has no z, those of one (x, y) with any z.
std::vector<int> orthogonal_points(const Point& u, const FiniteField& field) {
  const int q = field.size();
  std::vector<int> points;
  const auto add_all_z = [&](int x, int y) {
    points.push_back(0);
    for (int z = 0; z < q; ++z) points.push_back(first_of_pencil(x, y, q) + z);
  };
  if (u.z == 0 && u.y == 0) {
    add_all_z(0, 1);
  } else if (u.z == 0) {
    add_all_z(1, field.multiply(field.negative(u.x), field.inverse(u.y)));
  } else {
    const int factor = field.negative(field.inverse(u.z));
    points.push_back(first_of_pencil(0, 1, q) + field.multiply(factor, u.y));
    for (int y = 0; y < q; ++y)
      points.push_back(first_of_pencil(1, y, q) +
                       field.multiply(factor, field.add(u.x, field.multiply(u.y, y))));
  }
  WEFT_ASSERT(std::ssize(points) == q + 1);  // a line's
  return points;
}

bool fits(int q) {
  return as_prime_power(q).has_value();
}

}  // namespace

Topology polarfly(int q) {
  if (!fits(q))
    reject("polarfly:{} does not exist (q must be a prime power); the nearest: {}", q,
           nearest_fits(q, kLargest, fits));
  Expression name{"polarfly", std::to_string(q), {}};
  const double points = 1.0 * q * q + q + 1;
  require_size(name.to_string(), points, points * (q + 1.0) - (q + 1.0));
  const FiniteField field(q);
  TopologyBuilder builder(static_cast<std::int64_t>(points));
  for (int u = 0; u < static_cast<int>(points); ++u)
    for (int v : orthogonal_points(point_of(u, q), field))
      if (u < v) builder.add_cable(NodeId(u), NodeId(v));
  builder.set_nominal_degree(q + 1);
  builder.set_facets({{PolarflyView{q}}, {}});
  return std::move(builder).build(std::move(name));
}

Family polarfly_family() {
  return make_family(
      "polarfly", "q",
      "PolarFly: orthogonal points of the projective plane over GF(q), q a prime power; diameter 2",
      "polarfly:7",
      [](const Parameters& parameters) { return polarfly(parameters.integers(1)[0]); });
}

}  // namespace weft::topology
