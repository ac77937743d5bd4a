// The sizes of each kind of network, by parameter: what joins the routers, and the endpoints on
// each. Ports, cables and bisection follow from the structure.
#pragma once

#include "weft/analysis/economics.hpp"

namespace weft::analysis {

struct Sizes {
  std::string_view name;
  std::int64_t least;                      // parameter
  bool (*exists)(std::int64_t);            // a network of this parameter
  Design (*at)(std::int64_t);              // all but the kind, the parameter and the bisection
  double (*endpoints_at)(double routers);  // for real parameters
  bool bounded_by_ports;
};

const Sizes& sizes_of(NetworkKind kind);

/// A fat tree of switches of 2 half ports, as much of it as so many endpoints need.
Design fat_tree_for(int levels, std::int64_t half, std::int64_t endpoints);

/// Cables between routers.
void add_cables(const Design& design, Shopping& shopping);

}  // namespace weft::analysis
