// The curve between few steps and a low T_B, for people, as JSON and as a chart.
#pragma once

#include <string>
#include <vector>

#include "cli/output.hpp"
#include "weft/question/step_curve.hpp"

namespace weft::cli {

/// Adds "curve" and its table, and draws it where a chart is named.
void add_curve(Record& record, const std::vector<question::StepPoint>& curve,
               const std::string& chart, const Screen& screen);

}  // namespace weft::cli
