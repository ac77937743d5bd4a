// The formulas by kind of collective, a file each.
#pragma once

#include <span>

#include "weft/algorithm/costs.hpp"

namespace weft::algorithm {

std::span<const CostFormula> exchange_formulas();   // all-to-all, allgather, reduce-scatter
std::span<const CostFormula> allreduce_formulas();  // allreduce
std::span<const CostFormula> rooted_formulas();     // from or to a root, and point-to-point

}  // namespace weft::algorithm
