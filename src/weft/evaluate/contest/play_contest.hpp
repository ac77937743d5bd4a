// The rounds of a contest, in which each candidate has one schedule at each size.
#pragma once

#include <cstdint>
#include <span>

#include "weft/evaluate/contest.hpp"

namespace weft::evaluate {

/// As contest(), but the choices of the result are empty.
ContestResult play_contest(std::span<const Candidate> candidates, std::span<Contender> contenders,
                           std::span<const std::int64_t> sizes_B, const Network& network,
                           const simulation::SimulationOptions& options, const ContestRules& rules,
                           ComparisonProgress* progress);

}  // namespace weft::evaluate
