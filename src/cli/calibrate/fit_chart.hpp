// A chart of measured times and the model fitted to them.
#pragma once

#include <string>

#include "weft/calibrate/calibration.hpp"

namespace weft::cli {

/// Draws FILE.svg or FILE.png. Throws InvalidInput.
void draw_fit(const calibrate::Calibration& fit, const std::string& topology,
              const std::string& path);

}  // namespace weft::cli
