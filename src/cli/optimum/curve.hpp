// The curve between few steps and a low T_B, for people, as JSON and as a chart.
#pragma once

#include <string>
#include <vector>

#include "cli/options/count_range.hpp"
#include "cli/output.hpp"
#include "weft/question/step_curve.hpp"

namespace weft::cli {

/// Refuses steps that are no range, and collectives without a curve.
void check_steps(const std::string& steps, schedule::CollectiveKind kind);

/// The steps of the option.
CountRange steps_in(const std::string& steps);

/// The curve for those steps, of those algorithms, or where none are named of all that apply.
std::vector<question::StepPoint> curve_in(const CountRange& steps, const std::string& algorithms,
                                          const Collective& collective, const Network& network,
                                          const question::Optimum& best, double time_limit_s);

Json json_of(const std::vector<question::StepPoint>& curve);
Table table_of(const std::vector<question::StepPoint>& curve);

struct NetworkCurve {
  std::string topology;  // an expression
  std::vector<question::StepPoint> points;
};

/// Draws them, each in a panel of its own where there are several.
void draw_curves(const std::string& collective, const std::vector<NetworkCurve>& curves,
                 const std::string& path);

}  // namespace weft::cli
