// Tree growth: trees through switches, one place after another, over the cheapest ways.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/flow/host_shifts.hpp"
#include "weft/flow/trees/carrier.hpp"

namespace weft::flow {

/// An arc of a tree: a way between places.
struct GrownHop {
  std::int32_t from = 0, to = 0;   // nodes
  std::int32_t depth = 0;          // hops from the root to its end, less one
  std::vector<std::int32_t> arcs;  // of the carrier
};

struct GrownTree {
  std::int32_t root = 0;       // a node
  std::vector<GrownHop> hops;  // parents first
};

/// Which places a tree is joined by first, where several are as near the root.
enum class JoinFirst : std::uint8_t {
  the_cheapest,
  /// The one that can pass on most. A root keeps an even share of what it can send for each tree.
  those_with_room
};

struct GrowthOptions {
  std::int64_t trees = 1;   // of each root
  std::int64_t rounds = 1;  // in which they are tried
  JoinFirst join = JoinFirst::the_cheapest;
};

/// Trees of each root within the capacities of `arcs`, which are those of the carrier: each takes
/// one unit of every arc on its way, and where there are shifts one of all that these move it to.
/// Nothing where no round comes to an end. O(rounds * roots * trees * places * arcs log arcs).
std::optional<std::vector<GrownTree>> grow_trees(const Carrier& carrier,
                                                 std::span<const graph::CapacityArc> arcs,
                                                 std::span<const HostShift> shifts,
                                                 std::span<const std::int32_t> roots,
                                                 const GrowthOptions& options);

/// The trees, and where there are shifts what these make of them. `ranks`: by node, the places
/// among the roots of those on it, whose turn it is tree by tree.
PlacedTrees placed_everywhere(const Carrier& carrier, graph::Sense sense,
                              std::span<const HostShift> shifts, std::span<const GrownTree> trees,
                              std::span<const std::vector<std::int32_t>> ranks);

}  // namespace weft::flow
