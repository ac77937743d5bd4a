// Circulants with many jumps, by sampling; of odd degree with the jump across, of half the nodes.
#pragma once

#include <vector>

#include "weft/base/random.hpp"
#include "weft/base/rational.hpp"

namespace weft::search {

struct CirculantCost {
  std::vector<int> jumps;  // ascending; the last may be nodes / 2
  int steps = 0;
  Rational load;  // of the fullest link, summed over the steps, in blocks
};

/// The Pareto front over the sets of jumps that were drawn, fewest steps first. degree in [2, 16],
/// nodes > degree, and even where the degree is odd.
std::vector<CirculantCost> best_circulants(int nodes, int degree, std::int64_t candidates, Rng rng);

}  // namespace weft::search
