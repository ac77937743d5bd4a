// --algorithms of the commands that take several.
#pragma once

#include <span>
#include <string>

#include "weft/question/comparison.hpp"
#include "weft/question/comparison/algorithm_names.hpp"

namespace weft::cli {

using question::algorithms_in;
using question::algorithms_named;

/// Lines that say which algorithms were not compared, why, and what helps; one for those alike.
std::string notes_of(std::span<const evaluate::Dropped> dropped);

}  // namespace weft::cli
