// Recognition: which family a fabric is, whatever its nodes are called and however they are
// numbered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::analysis {

struct Recognition {
  /// The same fabric as the family numbers it, with names, ports, speeds and forwarding tables
  /// kept; where cables are missing it is without() these, and has no tables.
  BuiltTopology network;
  std::string family;                // the expression of the whole one
  std::vector<std::string> missing;  // cables, by the names of their ends: "leaf3 - spine1"
};

/// How many cables may be missing.
inline constexpr int kMostMissing = 3;

/// The families that a fabric of this size and these degrees may be, as expressions, likely ones
/// first: extended generalised fat trees, leaves and spines with parallel cables, hypercubes,
/// complete networks, Hamming networks, tori, meshes, Dragonflies of every arrangement, Dragonfly+,
/// Slim Fly and PolarFly, with equally many hosts on each switch where hosts are not the family's
/// own.
std::vector<std::string> likely_families(const Topology& fabric);

/// The first of likely_families() that the fabric is, by an isomorphism (nauty's Traces) that is
/// checked link by link; if none, the first that it is but for a few missing cables. Of the
/// isomorphisms it takes one that gives host 0 to the first host by name (as people count), then
/// each host in turn to the first that may have it. Nothing for fabrics with one-way links, and
/// where none fits.
std::optional<Recognition> recognise(const BuiltTopology& fabric);

}  // namespace weft::analysis
