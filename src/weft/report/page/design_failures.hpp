// What single failures do to a design, as a sentence.
#pragma once

#include <string>

#include "weft/design/network_design.hpp"

namespace weft::report {

/// Which are judged, what they do, and whether the schedules stay. `one` and `many` name what
/// fails.
std::string failure_text(const design::Fragility& fragility, const char* one, const char* many);

}  // namespace weft::report
