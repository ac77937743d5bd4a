// Shares of paths cut to units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/flow/all_to_all/flow_paths.hpp"

namespace weft::flow {

/// Links whose loads are one: those that symmetry takes to each other, or each by itself.
struct LoadClasses {
  std::vector<Int> of_link;            // -1: never on a path
  std::vector<std::int64_t> capacity;  // by class, of one link
};

/// As many units of a pair of ranks as leave every share whole; 0 where these are more than `most`.
std::int64_t exact_units(std::span<const FlowPath> paths, std::int64_t most);

struct UnitShares {
  /// By path; those from a host to another make up units_per_pair for each pair of their ranks.
  std::vector<std::int64_t> units;
  double largest_load = 0;  // units over capacity of the fullest class, over units_per_pair
};

/// Shares in proportion to the paths' parts, rounded: each keeps the whole units that it has, and
/// what is left of a pair goes, unit by unit, where loads are least above what they should be; then
/// units move from paths over the fullest links to others of their pair while that lowers them.
/// `paths` by pair of hosts. O(paths * their length), times the rounds of moves.
UnitShares shares_in_units(std::span<const FlowPath> paths, const LoadClasses& classes,
                           std::int64_t units_per_pair);

}  // namespace weft::flow
