// Algorithms for all levels of some groups, as hierarchical schedules choose them.
#pragma once

#include <string_view>
#include <vector>

#include "weft/algorithm/groups/levels.hpp"

namespace weft::test {

/// The best algorithms within the groups of all levels, the smallest first, and across the last.
/// `inner` are given names, innermost first (none: all are chosen). Without a network, those that
/// are usual. Throws bad_optional_access if no algorithms fit.
inline algorithm::LevelAlgorithms best_algorithms(const schedule::Collective& collective,
                                                  const std::vector<algorithm::LocalGroups>& groups,
                                                  const Network* network = nullptr,
                                                  const std::vector<std::string_view>& inner = {}) {
  return algorithm::level_choices(collective, {.groups = groups}, network,
                                  {.inner = inner, .all = true})
      .value()
      .best.algorithms;
}

}  // namespace weft::test
