// What a point of a load curve is, as a table of parts: for the command and for rows of studies.
#pragma once

#include <vector>

#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/simulation/load_curve.hpp"

namespace weft::advise {

answer::Parts<simulation::LoadPoint> load_point_parts();
/// Columns of a row of a study.
std::vector<answer::Column> load_point_columns();

}  // namespace weft::advise
