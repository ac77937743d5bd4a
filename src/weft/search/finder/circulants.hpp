// Circulants with many jumps, by sampling.
#pragma once

#include <vector>

#include "weft/base/random.hpp"
#include "weft/base/rational.hpp"

namespace weft::search {

struct CirculantCost {
  std::vector<int> jumps;  // ascending
  int steps = 0;
  Rational load;  // of the fullest link, summed over the steps, in blocks
};

/// The Pareto front over the sets of jumps that were drawn, fewest steps first. nodes > 2 * jumps,
/// jumps in [1, 8].
std::vector<CirculantCost> best_circulants(int nodes, int jumps, std::int64_t candidates, Rng rng);

}  // namespace weft::search
