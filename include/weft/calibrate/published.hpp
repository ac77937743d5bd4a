// Published: times that others measured on their machines, in tables of share/published, whose form
// forced_points.hpp says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/calibrate/profile/forced_points.hpp"

namespace weft::calibrate {

/// Points that name their machine and topology. Throws InvalidInput with file and line.
std::vector<ForcedPoint> read_published(std::string_view text, const std::string& path);

/// The file share/published/NAME.csv, or the user's own. Throws InvalidInput for neither.
std::string published_path(const std::string& name);

/// Predicts the time of such a point by the fluid model, seconds. Throws InvalidInput. Cost: one
/// schedule, proved, and one simulation.
double predicted_s(const ForcedPoint& point);

}  // namespace weft::calibrate
