// --algorithms of the commands that take several.
#pragma once

#include <string>

#include "weft/question/comparison.hpp"
#include "weft/question/comparison/algorithm_names.hpp"

namespace weft::cli {

using question::algorithms_in;
using question::algorithms_named;

/// A line that says which algorithm was not compared, why, and what helps.
std::string note_of(const question::Dropped& dropped);

}  // namespace weft::cli
