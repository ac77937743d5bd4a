// Points of PG(n, q) are vectors whose first entry other than 0 is 1, in lexicographic order. A
// polar geometry is given by its points and by the pairs of points that span a line of it.
#include "geometries.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "finite_field.hpp"

#include "weft/base/error.hpp"

namespace weft::topology {

namespace {

using Vector = std::vector<int>;

// The normal form of a vector other than 0, q prime.
Vector normalized(Vector x, int q) {
  WEFT_ASSERT(std::ranges::any_of(x, [](int entry) { return entry != 0; }));
  const int lead = *std::find_if(x.begin(), x.end(), [](int entry) { return entry != 0; });
  int inverse = 1;
  while (lead * inverse % q != 1) ++inverse;
  for (int& entry : x) entry = entry * inverse % q;
  return x;
}

// The points of PG(length - 1, q) that satisfy the condition.
std::vector<Vector> points_where(int length, int q,
                                 const std::function<bool(const Vector&)>& condition) {
  std::vector<Vector> points;
  Vector x(static_cast<std::size_t>(length), 0);
  for (;;) {
    std::size_t i = x.size();  // counts on, the last entry fastest
    while (i > 0 && ++x[i - 1] == q) x[--i] = 0;
    if (i == 0) return points;
    if (normalized(x, q) == x && condition(x)) points.push_back(x);
  }
}

int dot(const Vector& x, const Vector& y) {
  WEFT_ASSERT(x.size() == y.size());
  int sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// The points of the line through two points, sorted.
std::vector<int> span_of(const std::map<Vector, int>& number, const Vector& x, const Vector& y,
                         int q) {
  std::vector<int> line{number.at(y)};
  for (int factor = 0; factor < q; ++factor) {
    Vector sum = x;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = (sum[i] + factor * y[i]) % q;
    line.push_back(number.at(normalized(sum, q)));
  }
  std::sort(line.begin(), line.end());
  return line;
}

// All lines that are spanned by a pair of which `spans` is true; found at its two first points.
Geometry geometry_of(const std::vector<Vector>& points, int q,
                     const std::function<bool(const Vector&, const Vector&)>& spans) {
  std::map<Vector, int> number;
  for (const Vector& point : points) number.emplace(point, static_cast<int>(number.size()));
  Geometry geometry{static_cast<int>(points.size()), {}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      if (!spans(points[i], points[j])) continue;
      std::vector<int> line = span_of(number, points[i], points[j], q);
      if (line[0] == static_cast<int>(i) && line[1] == static_cast<int>(j))
        geometry.lines.push_back(std::move(line));
    }
  }
  return geometry;
}

}  // namespace

Geometry projective_plane(int q) {
  const auto points = points_where(3, q, [](const Vector&) { return true; });
  Geometry plane{static_cast<int>(points.size()), {}};
  for (const Vector& line : points) {
    plane.lines.emplace_back();
    for (std::size_t p = 0; p < points.size(); ++p)
      if (dot(line, points[p]) % q == 0) plane.lines.back().push_back(static_cast<int>(p));
  }
  return plane;
}

Geometry affine_plane_4_less_a_class() {
  const FiniteField field(4);
  Geometry plane{16, {}};  // point (x, y) is x + 4 y
  for (int m = 0; m < 4; ++m) {
    for (int b = 0; b < 4; ++b) {
      plane.lines.emplace_back();
      for (int x = 0; x < 4; ++x)
        plane.lines.back().push_back(x + 4 * field.add(field.multiply(m, x), b));
      std::sort(plane.lines.back().begin(), plane.lines.back().end());
    }
  }
  return plane;
}

Geometry symplectic_quadrangle(int q) {
  const auto points = points_where(4, q, [](const Vector&) { return true; });
  return geometry_of(points, q, [q](const Vector& x, const Vector& y) {
    return (x[0] * y[1] - x[1] * y[0] + x[2] * y[3] - x[3] * y[2]) % q == 0;
  });
}

Geometry split_cayley_hexagon(int q) {
  const auto points = points_where(7, q, [q](const Vector& x) {
    return (x[0] * x[4] + x[1] * x[5] + x[2] * x[6] - x[3] * x[3]) % q == 0;
  });
  return geometry_of(points, q, [q](const Vector& x, const Vector& y) {
    const auto plucker = [&](std::size_t i, std::size_t j) { return x[i] * y[j] - x[j] * y[i]; };
    const auto equal = [&](int a, int b) { return (a - b) % q == 0; };
    const int polar = x[0] * y[4] + x[4] * y[0] + x[1] * y[5] + x[5] * y[1] + x[2] * y[6] +
                      x[6] * y[2] - 2 * x[3] * y[3];  // 0 where the line is on the quadric
    return polar % q == 0 && equal(plucker(1, 2), plucker(3, 4)) &&
           equal(plucker(5, 4), plucker(3, 2)) && equal(plucker(2, 0), plucker(3, 5)) &&
           equal(plucker(6, 5), plucker(3, 0)) && equal(plucker(0, 1), plucker(3, 6)) &&
           equal(plucker(4, 6), plucker(3, 1));
  });
}

}  // namespace weft::topology
