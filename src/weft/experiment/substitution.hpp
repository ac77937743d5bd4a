// "{n}" in a text of the grid: a variable, or a product of variables and integers, "{n*n}".
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weft/experiment/experiment.hpp"

namespace weft::experiment {

using Texts = std::map<std::string, std::string, std::less<>>;

/// The variables that the text names, each once, in order. Throws InvalidInput for a brace without
/// its other.
std::vector<std::string> variables_in(std::string_view text);

/// The text with variables replaced. Throws InvalidInput for a variable that is not there (with the
/// nearest), and for a product of what is no integer.
std::string substitute(std::string_view text, const Texts& variables);

/// The text with every combination of the values that its variables have in `axes`. Throws
/// InvalidInput for more than a million, before any is made.
std::vector<std::string> all_substitutions(std::string_view text, const std::vector<Axis>& axes);

/// An integer, a number or a text, whichever it reads as.
Value variable_value(const std::string& text);

}  // namespace weft::experiment
