// --algorithms of the commands that take several.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/advise/comparison.hpp"
#include "weft/evaluate/algorithm_names.hpp"

namespace weft::cli {

using evaluate::algorithms_in;
using evaluate::algorithms_named;

/// Notes on the algorithms that were not compared: why, and the remedy; one note for each reason.
std::vector<std::string> notes_of(std::span<const evaluate::Dropped> dropped);

}  // namespace weft::cli
