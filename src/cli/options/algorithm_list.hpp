// --algorithms of the commands that take several.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/question/comparison.hpp"
#include "weft/question/comparison/algorithm_names.hpp"

namespace weft::cli {

using question::algorithms_in;
using question::algorithms_named;

/// Notes on the algorithms that were not compared: why, and the remedy; one note for each reason.
std::vector<std::string> notes_of(std::span<const evaluate::Dropped> dropped);

}  // namespace weft::cli
