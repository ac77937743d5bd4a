// The table of parts of lower bounds on T_B.
#pragma once

#include "weft/answer/part.hpp"
#include "weft/evaluate/evaluation.hpp"

namespace weft::design {

/// `bandwidth_factor_bound`, `optimum`, `optimum_among` and `cut`; the cut alone.
answer::Parts<evaluate::LowerBounds> bounds_parts();
answer::Part<evaluate::LowerBounds> cut_part();

}  // namespace weft::design
