// The sets of schedules that an optimum can be of, in words.
#pragma once

#include <string_view>

#include "weft/evaluate/evaluation.hpp"

namespace weft::evaluate {

/// "all schedules".
std::string_view name_of(Among among);
/// Words after the value of the optimum: " for reduce, then broadcast"; empty for all schedules.
std::string_view caveat_of(Among among);

}  // namespace weft::evaluate
