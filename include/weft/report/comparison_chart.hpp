// What a chart of a comparison shows beside the times.
#pragma once

#include <vector>

#include "weft/advise/comparison.hpp"
#include "weft/report/chart.hpp"

namespace weft::report {

/// Rings around the fastest algorithm of each size, and the line below which no algorithm can be:
/// the greatest bound on T_B, by ports or the tightest cut, times M / B. Sizes and times of 0 are
/// left out. O(rows).
std::vector<Series> marks_of(const Comparison& comparison, const Collective& collective,
                             const Network& network);

}  // namespace weft::report
