// Plan: what a breadth-first schedule is made from: arcs, receivers, step times, units.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/algorithm/bfb.hpp"
#include "weft/topology/cayley_view.hpp"
#include "weft/topology/in_arcs.hpp"

namespace weft::algorithm::bfb {

using graph::InArc;
using graph::InArcs;
using graph::Sense;
using topology::in_arcs;

/// One pass over the network: an allgather, or in reverse a reduce-scatter.
struct Pass {
  InArcs arcs;
  std::vector<std::int32_t> receivers;  // those whose times are the times of all
  std::vector<Rational> exact;          // U_t, in blocks per unit of capacity
  std::vector<Rational> times = {};     // with the units chosen, in units per unit of capacity
  /// Of a block, where latencies are balanced too: bytes over the unit of capacity, in picoseconds.
  /// Then both times are in picoseconds.
  std::optional<Rational> block_ps = {};
};

struct Plan {
  /// Of a Cayley graph whose links keep their bandwidth when it is translated, if wanted.
  std::optional<topology::CayleyView> view;
  std::vector<Pass> passes = {};  // in the order of time
  std::int64_t units = 1;         // per block
};

/// Times of all passes, and the units per block that serve them best under the options. Throws
/// InvalidInput as bfb_cost does.
Plan make_plan(const Fabric& fabric, CollectiveKind kind, const BfbOptions& options);

}  // namespace weft::algorithm::bfb
