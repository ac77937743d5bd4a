#include "weft/analysis/economics/families.hpp"

#include <fmt/format.h>

#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"
#include "weft/base/suggest.hpp"

namespace weft::analysis {

namespace {

bool always(std::int64_t /*parameter*/) {
  return true;
}

bool slim_fly_exists(std::int64_t q) {
  return q >= 3 && as_prime_power(q).has_value();
}

template <int percent>
Design fully_connected(std::int64_t m) {
  const std::int64_t per_router = endpoints_by_bisection(m, percent);
  return {.parameter = m,
          .configuration = fmt::format("{}x{}, {} endpoints a router", m, m, per_router),
          .routers = m * m,
          .ports = per_router + 2 * (m - 1),
          .endpoints = m * m * per_router};
}

Design slim_fly(std::int64_t q) {
  const std::int64_t degree = slim_fly_degree(q), per_router = (degree + 1) / 2;
  return {.parameter = q,
          .configuration = fmt::format("q={}, {} endpoints a router", q, per_router),
          .routers = 2 * q * q,
          .ports = degree + per_router,
          .endpoints = 2 * q * q * per_router};
}

Design dragonfly(std::int64_t p) {
  const std::int64_t groups = 2 * p * p + 1;
  return {.parameter = p,
          .configuration = fmt::format("p={}, a={}, h={}, g={}", p, 2 * p, p, groups),
          .routers = 2 * p * groups,
          .ports = p + (2 * p - 1) + p,
          .endpoints = 2 * p * p * groups};
}

template <int levels>
Design fat_tree(std::int64_t half) {
  return fat_tree_for(levels, half, fat_tree_capacity(levels, half));
}

Design hamming(std::int64_t m) {
  const std::int64_t per_router = endpoints_by_bisection(m, 100);
  return {.parameter = m,
          .configuration = fmt::format("{}x{}x{}, {} endpoints a router", m, m, m, per_router),
          .routers = m * m * m,
          .ports = per_router + 3 * (m - 1),
          .endpoints = m * m * m * per_router};
}

Design kautz(std::int64_t degree) {
  const std::int64_t routers = degree * (degree + 1), per_router = degree / 2;
  return {.parameter = degree,
          .configuration = fmt::format("{},2, {} endpoints a router", degree, per_router),
          .routers = routers,
          .ports = per_router + 2 * degree,
          .endpoints = routers * per_router};
}

template <int dimensions>
Design torus(std::int64_t sum) {
  const auto extents = torus_extents(sum, dimensions);
  Design design;
  design.parameter = sum;
  design.routers = 1;
  design.ports = 2 * dimensions + 1;
  for (int i = 0; i < dimensions; ++i) {
    design.configuration += fmt::format("{}{}", i == 0 ? "" : "x", extents[i]);
    design.routers *= extents[i];
  }
  design.endpoints = design.routers;
  return design;
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
constexpr std::array<Family, kNetworkKinds.size()> kFamilies{{
    {"2dfc25", 2, always, fully_connected<25>, fully_connected_endpoints<25>,
     fully_connected_cables, fully_connected_bisection, true},
    {"2dfc50", 2, always, fully_connected<50>, fully_connected_endpoints<50>,
     fully_connected_cables, fully_connected_bisection, true},
    {"2dfc100", 2, always, fully_connected<100>, fully_connected_endpoints<100>,
     fully_connected_cables, fully_connected_bisection, true},
    {"slimfly", 3, slim_fly_exists, slim_fly, slim_fly_endpoints, slim_fly_cables,
     slim_fly_bisection, true},
    {"dragonfly", 1, always, dragonfly, dragonfly_endpoints, dragonfly_cables, dragonfly_bisection,
     true},
    {"fat-tree", 1, always, fat_tree<3>, fat_tree_endpoints, fat_tree_cables, nullptr, true},
    {"hamming", 2, always, hamming, hamming_endpoints, hamming_cables, hamming_bisection, true},
    {"kautz", 2, always, kautz, kautz_endpoints, kautz_cables, kautz_bisection, true},
    {"torus-3d", 9, always, torus<3>, torus_endpoints, torus_3d_cables, torus_3d_bisection, false},
    {"torus-5d", 15, always, torus<5>, torus_endpoints, torus_5d_cables, torus_5d_bisection, false},
    {"fat-tree-2", 1, always, fat_tree<2>, fat_tree_2_endpoints, fat_tree_cables, nullptr, true},
    {"fat-tree-3", 1, always, fat_tree<3>, fat_tree_endpoints, fat_tree_cables, nullptr, true},
}};

}  // namespace

Design fat_tree_for(int levels, std::int64_t half, std::int64_t endpoints) {
  constexpr std::array<std::string_view, 3> kLevels{"one switch", "two levels", "three levels"};
  Design design;
  design.parameter = half;
  design.configuration = fmt::format("{}, {} ports", kLevels[levels - 1], 2 * half);
  design.routers = fat_tree_parts(levels, half, endpoints).switches();
  design.ports = 2 * half;
  design.endpoints = endpoints;
  design.levels = levels;
  return design;
}

const Family& family(NetworkKind kind) {
  return kFamilies[static_cast<std::size_t>(kind)];
}

std::string_view to_string(NetworkKind kind) {
  return family(kind).name;
}

NetworkKind parse_network_kind(std::string_view name) {
  std::vector<std::string> known;
  for (const NetworkKind kind : kNetworkKinds) {
    if (lower(name) == to_string(kind)) return kind;
    known.emplace_back(to_string(kind));
  }
  reject("unknown kind of network '{}'; {}", name, suggest(name, known));
}

std::int64_t endpoints_by_bisection(std::int64_t m, std::int64_t percent) {
  return 200 * (m * m / 4) / (m * percent);
}

std::int64_t slim_fly_degree(std::int64_t q) {
  const std::int64_t delta = q % 4 == 3 ? -1 : q % 4;
  return (3 * q - delta) / 2;
}

std::array<std::int64_t, 5> torus_extents(std::int64_t sum, int dimensions) {
  std::array<std::int64_t, 5> extents{};
  for (int i = 0; i < dimensions; ++i) extents[i] = (sum + i) / dimensions;
  return extents;
}

}  // namespace weft::analysis
