// Which algorithms are worth building for a group of many ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/question/training/prices.hpp"

namespace weft::question {

struct Foretold {
  /// At each size those that are worth a simulation, the fastest first, at least one.
  std::vector<std::vector<std::string>> by_size;
  std::vector<std::string> not_tried;  // others that fit, at all sizes
};

/// Of all that apply the few that are fastest by the formula. Their prices are asked of the
/// algorithms without a schedule where they know them, else taken of the schedule, which is not
/// simulated; trees that are grown one by one on a large network are left out.
/// Throws InvalidInput where no algorithm applies.
Foretold foretell(const Collective& collective, const Network& group,
                  const std::vector<std::int64_t>& sizes_B, const PriceOptions& options);

}  // namespace weft::question
