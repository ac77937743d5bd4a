// Sizes of a kind of network: by endpoints, by routers, by ports. All of a kind's figures grow with
// its parameter, so counting up finds each.
#include <algorithm>
#include <cmath>
#include <limits>

#include "weft/analysis/bisection/known_bisection.hpp"
#include "weft/analysis/economics/fat_tree_parts.hpp"
#include "weft/analysis/economics/kinds.hpp"
#include "weft/analysis/economics/racks.hpp"
#include "weft/base/error.hpp"

namespace weft::analysis {

namespace {

constexpr std::int64_t kMostPorts = 1024;

Design of_kind(NetworkKind kind, std::int64_t parameter, Design design) {
  design.kind = kind;
  design.parameter = parameter;
  return design;
}

Design design_at(NetworkKind kind, std::int64_t parameter) {
  return of_kind(kind, parameter, sizes_of(kind).at(parameter));
}

std::int64_t most_ports(const PriceList& prices) {
  double ports = 0;
  for (const Offer& offer : prices.switches) ports = std::max(ports, offer.size);
  return static_cast<std::int64_t>(std::min(ports, static_cast<double>(kMostPorts)));
}

// Without a formula for halves, those that have all endpoints of one of them cut off.
Design with_bisection(Design design) {
  WEFT_ASSERT(design.endpoints >= 1 && design.routers >= 1);
  if (!design.structure) {  // a fat tree, full as it is built
    design.bisection_lower = design.bisection_upper = 1;
    return design;
  }
  const Size size{design.routers, design.endpoints / design.routers};
  const KnownBisection known = known_bisection(size, *design.structure).value();
  const std::int64_t all = design.endpoints / 2;
  design.bisection_lower = Rational(2 * known.lower, design.endpoints);
  design.bisection_upper = Rational(2 * known.upper.value_or(all), design.endpoints);
  return design;
}

std::int64_t next_parameter(NetworkKind kind, std::int64_t parameter) {
  do ++parameter;
  while (!sizes_of(kind).exists(parameter));
  return parameter;
}

}  // namespace

Design smallest_design(NetworkKind kind, std::int64_t endpoints) {
  require(endpoints >= 1 && endpoints <= kMostOfKind, "{} endpoints are out of range (1 to {})",
          endpoints, kMostOfKind);
  std::int64_t parameter = sizes_of(kind).least;
  for (;; parameter = next_parameter(kind, parameter)) {
    Design design = design_at(kind, parameter);
    if (design.endpoints < endpoints) continue;
    if (design.levels)
      design = of_kind(kind, parameter, fat_tree_for(*design.levels, parameter, endpoints));
    return with_bisection(std::move(design));
  }
}

Design cheapest_design(NetworkKind kind, std::int64_t endpoints, const PriceList& prices) {
  Design best = smallest_design(kind, endpoints);
  if (kind != NetworkKind::fat_tree) return best;
  const PriceLines lines = fit_prices(prices);
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t half = 1; 2 * half <= most_ports(prices); ++half)
    for (int levels = 1; levels <= 3; ++levels) {
      if (fat_tree_capacity(levels, half) < endpoints) continue;
      Design design = of_kind(kind, half, fat_tree_for(levels, half, endpoints));
      const double dollars = price(shopping(design), lines).dollars();
      if (dollars < least) {
        least = dollars;
        best = with_bisection(std::move(design));
      }
      break;
    }
  return best;
}

Design nearest_design(NetworkKind kind, std::int64_t routers) {
  require(routers >= 1 && routers <= kMostOfKind, "{} routers are out of range (1 to {})", routers,
          kMostOfKind);
  std::int64_t parameter = sizes_of(kind).least;
  Design below = design_at(kind, parameter);
  while (below.routers < routers) {
    parameter = next_parameter(kind, parameter);
    Design above = design_at(kind, parameter);
    if (above.routers >= routers)
      return with_bisection(above.routers - routers < routers - below.routers ? above : below);
    below = std::move(above);
  }
  return with_bisection(std::move(below));
}

std::optional<Design> largest_design(NetworkKind kind, std::int64_t ports) {
  require(ports >= 1 && ports <= kMostPorts, "{} ports are out of range (1 to {})", ports,
          kMostPorts);
  if (!sizes_of(kind).bounded_by_ports) return std::nullopt;
  std::optional<Design> largest;
  std::int64_t parameter = sizes_of(kind).least;
  for (;; parameter = next_parameter(kind, parameter)) {
    Design design = design_at(kind, parameter);
    if (design.ports > ports)
      return largest ? std::optional(with_bisection(std::move(*largest))) : std::nullopt;
    largest = std::move(design);
  }
}

double endpoints_at(NetworkKind kind, double routers) {
  require(std::isfinite(routers) && routers >= 1, "{} routers are too few (needs 1 or more)",
          routers);
  return sizes_of(kind).endpoints_at(routers);
}

Shopping shopping(const Design& design) {
  Shopping result;
  result.electrical[kCableInRack_m] = design.endpoints;
  result.switch_nodes[design.ports] = design.routers;
  add_cables(design, result);
  return result;
}

}  // namespace weft::analysis
