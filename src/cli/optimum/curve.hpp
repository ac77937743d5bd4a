// The curve between few steps and a low T_B, for people and as a chart.
#pragma once

#include <string>
#include <vector>

#include "cli/output.hpp"
#include "weft/design/step_curve.hpp"

namespace weft::cli {

Table table_of(const std::vector<design::StepPoint>& curve);

struct NetworkCurve {
  std::string topology;  // an expression
  std::vector<design::StepPoint> points;
};

/// Draws them, each in a panel of its own where there are several.
void draw_curves(const std::string& collective, const std::vector<NetworkCurve>& curves,
                 const std::string& path);

}  // namespace weft::cli
