// From an experiment's results to its charts.
#pragma once

#include "weft/report/chart.hpp"
#include "weft/study/results.hpp"

namespace weft::report {

/// The chart that the spec asks for: a panel, and in it a line or a group of bars, for each value
/// that a row has, in grid order; rows without a result (or, on a logarithmic axis, with 0) are
/// left out. Where rows of one value would fall on one point, the parameter that tells them apart
/// makes lines of its own. With `spread` each point is the median over that parameter, its bar from
/// the minimum to the maximum. O(rows * columns).
Chart chart_of(const Experiment& experiment, const ChartSpec& spec, const Results& results);

}  // namespace weft::report
