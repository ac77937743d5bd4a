// Bisections of each family's designs, with the endpoints of a router as its hosts.
#include "weft/analysis/bisection/bisection_rules.hpp"
#include "weft/analysis/economics/families.hpp"

namespace weft::analysis {

namespace {

Size size_of(const Design& design) {
  return {design.routers, design.endpoints / design.routers};
}

KnownBisection of_equal_extents(const Design& design, std::size_t dimensions) {
  const int m = static_cast<int>(design.parameter);
  topology::HyperxView view;
  view.extents.assign(dimensions, m);
  view.parallel.assign(dimensions, 1);
  return hamming_bisection(size_of(design), view);
}

KnownBisection of_torus(const Design& design, int dimensions) {
  topology::Extents view;
  for (const std::int64_t extent : torus_extents(design.parameter, dimensions))
    if (extent > 0) view.extents.push_back(static_cast<int>(extent));
  return array_bisection(size_of(design), view, Line::ring);
}

}  // namespace

KnownBisection fully_connected_bisection(const Design& design) {
  return of_equal_extents(design, 2);
}
KnownBisection hamming_bisection(const Design& design) {
  return of_equal_extents(design, 3);
}
KnownBisection slim_fly_bisection(const Design& design) {
  return apply(size_of(design), slimfly_rule(design.parameter));
}
KnownBisection dragonfly_bisection(const Design& design) {
  const int p = static_cast<int>(design.parameter);
  const topology::DragonflyView view{
      .a = 2 * p, .p = p, .h = p, .g = 2 * p * p + 1, .arrangement = {}};
  return apply(size_of(design), *dragonfly_rule(view));
}
KnownBisection kautz_bisection(const Design& design) {
  return apply(size_of(design), kautz_rule(design.parameter));
}
KnownBisection torus_3d_bisection(const Design& design) {
  return of_torus(design, 3);
}
KnownBisection torus_5d_bisection(const Design& design) {
  return of_torus(design, 5);
}

}  // namespace weft::analysis
