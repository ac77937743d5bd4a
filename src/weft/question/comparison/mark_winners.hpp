// mark_winners: who wins at each size of a comparison.
#pragma once

#include <cstddef>
#include <span>

#include "weft/question/comparison.hpp"
#include "weft/question/comparison/candidate.hpp"

namespace weft::question {

/// Marks one simulated row of each size as best. If several times tie with the fastest, the row
/// with the smallest estimate (expected_s) is marked; if estimates are equal, the first row. Rows
/// are ordered by contender, with `sizes` rows each.
void mark_winners(std::span<const Candidate> candidates, const Network& network, std::size_t sizes,
                  Comparison& comparison);

}  // namespace weft::question
