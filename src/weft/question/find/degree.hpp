// The field that rows and the command have in common.
#pragma once

#include "weft/question/fields.hpp"
#include "weft/search/finder.hpp"

namespace weft::question {

inline constexpr auto kDegree = count<1, search::kMostFinderDegree>("degree", "4");

}  // namespace weft::question
