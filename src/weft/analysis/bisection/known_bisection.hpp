// The bisection of networks whose structure gives it: by formula, without a search.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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

/// Of Hamming networks and HyperX (complete graphs and hypercubes among them), tori, meshes and
/// rings, fat trees of full bandwidth, Dragonflies, Slim Flies and Kautz networks of diameter 2,
/// with equally many hosts on each switch or without; docs/models.md has the formulas and proofs.
/// Nothing for any other network. O(nodes) at most.
std::optional<KnownBisection> known_bisection(const Topology& topology);

}  // namespace weft::analysis
