// How a bisection is shown, in text and in JSON.
#pragma once

#include <string>

#include "cli/output.hpp"
#include "weft/analysis/metrics.hpp"

namespace weft::cli {

Json json_of(const analysis::Bisection& bisection);

/// "16 cables (formula: Lindsey 1964)", "9 to 12 cables".
std::string show(const analysis::Bisection& bisection);

}  // namespace weft::cli
