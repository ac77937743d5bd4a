// The field that rows and the command have in common.
#pragma once

#include "weft/fields/fields.hpp"
#include "weft/search/finder.hpp"

namespace weft::design {

inline constexpr auto kDegree = fields::count<1, search::kMostFinderDegree>("degree", "4");

}  // namespace weft::design
