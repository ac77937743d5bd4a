// mark_winners: who wins at each size of a comparison.
#pragma once

#include <cstddef>
#include <span>

#include "weft/advise/comparison.hpp"
#include "weft/evaluate/candidate.hpp"

namespace weft::advise {

/// Marks one simulated row of each size as best: the winner by its time and by expected_s. Rows are
/// ordered by contender, with `sizes` rows each.
void mark_winners(std::span<const Candidate> candidates, const Network& network, std::size_t sizes,
                  Comparison& comparison);

}  // namespace weft::advise
