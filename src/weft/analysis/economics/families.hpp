// The sizes of each kind of network, by parameter.
#pragma once

#include "weft/analysis/bisection/known_bisection.hpp"
#include "weft/analysis/economics.hpp"
#include "weft/analysis/economics/fat_tree_parts.hpp"

namespace weft::analysis {

struct Family {
  std::string_view name;
  std::int64_t least;                          // parameter
  bool (*exists)(std::int64_t);                // a network of this parameter
  Design (*at)(std::int64_t);                  // all but the kind and the bisection
  double (*endpoints_at)(double routers);      // for real parameters
  void (*cables)(const Design&, Shopping&);    // between routers
  KnownBisection (*bisection)(const Design&);  // none: of fat trees, full as they are built
  bool bounded_by_ports;
};

const Family& family(NetworkKind kind);

/// 2dfc and Hamming networks: endpoints a router such that cutting each line of m routers in the
/// middle, floor(m^2 / 4) links, leaves `percent` of what half of the endpoints send.
std::int64_t endpoints_by_bisection(std::int64_t m, std::int64_t percent);

/// Near-equal extents with this sum, the larger last.
std::array<std::int64_t, 5> torus_extents(std::int64_t sum, int dimensions);

// Cables between routers, family by family.
void fully_connected_cables(const Design& design, Shopping& shopping);
void slim_fly_cables(const Design& design, Shopping& shopping);
void dragonfly_cables(const Design& design, Shopping& shopping);
void fat_tree_cables(const Design& design, Shopping& shopping);
void hamming_cables(const Design& design, Shopping& shopping);
void kautz_cables(const Design& design, Shopping& shopping);
void torus_3d_cables(const Design& design, Shopping& shopping);
void torus_5d_cables(const Design& design, Shopping& shopping);

// Bisections, family by family.
KnownBisection fully_connected_bisection(const Design& design);
KnownBisection hamming_bisection(const Design& design);
KnownBisection slim_fly_bisection(const Design& design);
KnownBisection dragonfly_bisection(const Design& design);
KnownBisection kautz_bisection(const Design& design);
KnownBisection torus_3d_bisection(const Design& design);
KnownBisection torus_5d_bisection(const Design& design);

/// A fat tree of switches of 2 half ports, as much of it as so many endpoints need.
Design fat_tree_for(int levels, std::int64_t half, std::int64_t endpoints);

/// Slim Fly: q = 4w + delta, delta in {-1, 0, 1}; links of a router to others.
std::int64_t slim_fly_degree(std::int64_t q);

}  // namespace weft::analysis
