// mark_winners: who wins at each size of a comparison.
#pragma once

#include <cstddef>
#include <span>

#include "weft/question/comparison.hpp"
#include "weft/question/comparison/candidate.hpp"

namespace weft::question {

/// Marks one row of each size as best: of those that tie with the fastest the one that promised
/// most, and of these the first. Rows: contender by contender, `sizes` of each.
void mark_winners(std::span<const Candidate> candidates, const Network& network, std::size_t sizes,
                  Comparison& comparison);

}  // namespace weft::question
