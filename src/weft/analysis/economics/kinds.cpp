#include "weft/analysis/economics/kinds.hpp"

#include <fmt/ranges.h>

#include <cmath>

#include "weft/analysis/economics/fat_tree_parts.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"
#include "weft/base/suggest.hpp"

namespace weft::analysis {

namespace {

using namespace topology;  // facets

bool always(std::int64_t /*parameter*/) {
  return true;
}

bool slim_fly_exists(std::int64_t q) {
  return q >= 3 && as_prime_power(q).has_value();
}

struct Routers {
  std::int64_t count = 1, degree = 0;
};

Routers routers_of(const Coordinates& grid) {
  Routers routers;
  for (const Dimension& dimension : grid.dimensions) {
    routers.count *= dimension.extent;
    routers.degree += dimension.shape == LineShape::ring ? 2 : dimension.extent - 1;
  }
  return routers;
}

Routers routers_of(const DragonflyView& d) {
  return {std::int64_t{d.g} * d.a, d.a - 1 + d.h};
}

// q = 4w + delta, delta in {-1, 0, 1}.
Routers routers_of(const SlimflyView& slim_fly) {
  const std::int64_t q = slim_fly.q, delta = q % 4 == 3 ? -1 : q % 4;
  return {2 * q * q, (3 * q - delta) / 2};
}

// Of diameter 2.
Routers routers_of(const KautzView& kautz) {
  const std::int64_t degree = kautz.degree;
  return {degree * (degree + 1), 2 * degree};
}

template <class Structure>
Design with_endpoints(std::int64_t per_router, Structure structure, std::string configuration) {
  const Routers routers = routers_of(structure);
  return {.configuration = std::move(configuration),
          .routers = routers.count,
          .ports = per_router + routers.degree,
          .endpoints = routers.count * per_router,
          .structure = std::move(structure)};
}

// Endpoints a router such that cutting each line of m routers in the middle, floor(m^2 / 4) links,
// leaves `percent` of what half of the endpoints send.
template <int dimensions, int percent>
Design fully_connected(std::int64_t m) {
  const std::int64_t per_router = 200 * (m * m / 4) / (m * percent);
  const std::vector<int> extents(dimensions, static_cast<int>(m));
  return with_endpoints(
      per_router, coordinates(extents, LineShape::complete),
      fmt::format("{}, {} endpoints a router", fmt::join(extents, "x"), per_router));
}

Design slim_fly(std::int64_t q) {
  const SlimflyView structure{static_cast<int>(q)};
  const std::int64_t per_router = (routers_of(structure).degree + 1) / 2;
  return with_endpoints(per_router, structure,
                        fmt::format("q={}, {} endpoints a router", q, per_router));
}

Design dragonfly(std::int64_t parameter) {
  const int p = static_cast<int>(parameter), groups = 2 * p * p + 1;
  return with_endpoints(p, DragonflyView{.a = 2 * p, .p = p, .h = p, .g = groups},
                        fmt::format("p={}, a={}, h={}, g={}", p, 2 * p, p, groups));
}

template <int levels>
Design fat_tree(std::int64_t half) {
  return fat_tree_for(levels, half, fat_tree_capacity(levels, half));
}

Design kautz(std::int64_t degree) {
  return with_endpoints(degree / 2, KautzView{static_cast<int>(degree), 2},
                        fmt::format("{},2, {} endpoints a router", degree, degree / 2));
}

// Near-equal extents with this sum, the larger last.
template <int dimensions>
Design torus(std::int64_t sum) {
  std::vector<int> extents;
  for (int i = 0; i < dimensions; ++i) extents.push_back(static_cast<int>((sum + i) / dimensions));
  return with_endpoints(1, coordinates(extents, LineShape::ring),
                        fmt::format("{}", fmt::join(extents, "x")));
}

template <int percent>
double fully_connected_endpoints(double routers) {
  return routers * std::sqrt(routers) * 50 / percent;
}
double slim_fly_endpoints(double routers) {
  return routers * 0.75 * std::sqrt(routers / 2);
}

// 4 p^3 + 2 p = routers, by bisection.
double dragonfly_endpoints(double routers) {
  double low = 0, high = routers;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (4 * middle * middle * middle + 2 * middle < routers ? low : high) = middle;
  }
  return routers * low;
}
double fat_tree_2_endpoints(double routers) {
  return 2 * routers * routers / 9;
}
double fat_tree_endpoints(double routers) {
  return 2 * std::pow(routers / 5, 1.5);
}
double hamming_endpoints(double routers) {
  return routers * std::cbrt(routers) / 2;
}
double kautz_endpoints(double routers) {
  return routers * (std::sqrt(1 + 4 * routers) - 1) / 4;
}
double torus_endpoints(double routers) {
  return routers;
}

// In the order of NetworkKind.
constexpr std::array<Sizes, kNetworkKinds.size()> kSizes{{
    {"2dfc25", 2, always, fully_connected<2, 25>, fully_connected_endpoints<25>, true},
    {"2dfc50", 2, always, fully_connected<2, 50>, fully_connected_endpoints<50>, true},
    {"2dfc100", 2, always, fully_connected<2, 100>, fully_connected_endpoints<100>, true},
    {"slimfly", 3, slim_fly_exists, slim_fly, slim_fly_endpoints, true},
    {"dragonfly", 1, always, dragonfly, dragonfly_endpoints, true},
    {"fat-tree", 1, always, fat_tree<3>, fat_tree_endpoints, true},
    {"hamming", 2, always, fully_connected<3, 100>, hamming_endpoints, true},
    {"kautz", 2, always, kautz, kautz_endpoints, true},
    {"torus-3d", 9, always, torus<3>, torus_endpoints, false},
    {"torus-5d", 15, always, torus<5>, torus_endpoints, false},
    {"fat-tree-2", 1, always, fat_tree<2>, fat_tree_2_endpoints, true},
    {"fat-tree-3", 1, always, fat_tree<3>, fat_tree_endpoints, true},
}};

}  // namespace

Design fat_tree_for(int levels, std::int64_t half, std::int64_t endpoints) {
  WEFT_ASSERT(levels >= 1 && levels <= 3);
  constexpr std::array<std::string_view, 3> kLevels{"one switch", "two levels", "three levels"};
  Design design;
  design.configuration = fmt::format("{}, {} ports", kLevels[levels - 1], 2 * half);
  design.routers = fat_tree_parts(levels, half, endpoints).switches();
  design.ports = 2 * half;
  design.endpoints = endpoints;
  design.levels = levels;
  return design;
}

const Sizes& sizes_of(NetworkKind kind) {
  return kSizes[static_cast<std::size_t>(kind)];
}

std::string_view to_string(NetworkKind kind) {
  return sizes_of(kind).name;
}

NetworkKind parse_network_kind(std::string_view name) {
  std::vector<std::string> known;
  for (const NetworkKind kind : kNetworkKinds) {
    if (lower(name) == to_string(kind)) return kind;
    known.emplace_back(to_string(kind));
  }
  reject_unknown({"kind of network", name}, known);
}

}  // namespace weft::analysis
