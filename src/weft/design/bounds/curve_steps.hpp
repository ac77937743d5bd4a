// The steps of curves, as a field.
#pragma once

#include "weft/base/range.hpp"
#include "weft/fields/fields.hpp"

namespace weft::design {

CountRange read_curve_steps(std::string_view name, std::string_view text);
Value show_curve_steps(const CountRange& steps);

/// As parse_steps() reads them.
inline constexpr auto kCurveSteps = fields::field<read_curve_steps, show_curve_steps>("steps", "");

}  // namespace weft::design
