// The bisection of networks whose structure gives it: by formula, without a search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "weft/topology/facets.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// What a formula says of the fewest cables between two halves (metrics.hpp has what halves are).
struct KnownBisection {
  std::int64_t lower = 0;             // no halves cut fewer
  std::optional<std::int64_t> upper;  // some halves cut no more; equal to `lower` where exact
  std::string_view formula;           // for networks without hosts, in letters of the family
  std::string_view source;

  bool exact() const { return upper == lower; }
};

/// The network between S switches, or S nodes where there are no switches, with k hosts on each.
struct Size {
  std::int64_t switches = 0;
  std::int64_t hosts = 0;  // on each switch; 0 where there are no switches

  bool hosted() const { return hosts > 0; }
  std::int64_t weight() const { return switches * std::max<std::int64_t>(hosts, 1); }
};

/// What the structure of a whole network tells: of Hamming networks and HyperX (complete graphs and
/// hypercubes among them), tori, meshes and rings, Dragonflies, Slim Flies and Kautz networks of
/// diameter 2; docs/explanation/bisection.md has the formulas and proofs. Nothing for any other
/// structure.
/// Precondition: a weight of 2 or more. O(switches) at most.
std::optional<KnownBisection> known_bisection(const Size& size, const topology::Facet& facet);

/// The same of whole networks with equally many hosts on each switch or without, of fat trees of
/// full bandwidth, and of any of two levels. O(nodes) at most.
std::optional<KnownBisection> known_bisection(const Topology& topology);

}  // namespace weft::analysis
