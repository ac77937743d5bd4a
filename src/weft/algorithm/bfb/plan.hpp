// Plan: what a breadth-first schedule is made from: arcs, receivers, step times, units.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arcs.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/schedule/symmetry.hpp"

namespace weft::algorithm::bfb {

/// The group of a Cayley graph, where its nodes are numbered as its elements are and links keep
/// their bandwidth; else the trivial one.
Symmetry translations_of(const Fabric& fabric);

/// One pass over the network: an allgather, or in reverse a reduce-scatter.
struct Pass {
  Arcs arcs;
  Symmetry symmetry;
  std::vector<std::int32_t> receivers;  // one of each orbit
  std::vector<Rational> exact;          // U_t, in blocks per unit of capacity
  std::vector<Rational> times = {};     // with the units chosen, in units per unit of capacity
};

struct Plan {
  std::vector<Pass> passes;  // in the order of time
  std::int64_t units = 1;    // per block
};

/// Times of all passes, and the units per block that serve them best under the options. Throws
/// InvalidInput as bfb_cost does.
Plan make_plan(const Fabric& fabric, CollectiveKind kind, const BfbOptions& options);

}  // namespace weft::algorithm::bfb
