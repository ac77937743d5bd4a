// How a bisection in cables is shown.
#pragma once

#include <string>

#include "weft/analysis/metrics.hpp"
#include "weft/answer/part.hpp"

namespace weft::design {

answer::Parts<analysis::Bisection> bisection_parts();
/// "16 cables (formula: Lindsey 1964)", "9 to 12 cables".
std::string bisection_text(const analysis::Bisection& bisection);

}  // namespace weft::design
