// Algorithms that fit and run by their names alone.
#pragma once

#include <string>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/evaluate/contender.hpp"
#include "weft/network/network.hpp"

namespace weft::evaluate {

/// The algorithms that "all" leaves out for other reasons than time: those that need more of the
/// network than it is known to do, and those that build the schedule of another one here. Empty if
/// each algorithm is named.
std::vector<Dropped> left_unnamed(const Collective& collective, const Network& network,
                                  const std::vector<std::string>& names,
                                  const algorithm::AlgorithmOptions& options);

}  // namespace weft::evaluate
