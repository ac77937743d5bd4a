// The curve between few steps and a low T_B, for people, as JSON and as a chart.
#pragma once

#include <string>
#include <vector>

#include "cli/output.hpp"
#include "weft/question/step_curve.hpp"

namespace weft::cli {

/// Refuses steps that are no range, and collectives without a curve.
void check_steps(const std::string& steps, schedule::CollectiveKind kind);

/// The curve for the steps of the option, of those algorithms, or where there are none of all that
/// apply.
std::vector<question::StepPoint> curve_in(const std::string& steps,
                                          std::vector<std::string> algorithms,
                                          const Collective& collective, const Network& network,
                                          const question::Optimum& best, double time_limit_s);

Json json_of(const std::vector<question::StepPoint>& curve);
Table table_of(const std::vector<question::StepPoint>& curve);

/// Adds "curve" and its table, and draws it where a chart is named.
void add_curve(Record& record, const std::vector<question::StepPoint>& curve,
               const std::string& chart, const Screen& screen);

}  // namespace weft::cli
