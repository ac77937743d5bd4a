// "{n}" in a text of the grid: a variable, or sums and differences of products, quotients and
// remainders of variables and integers, "{2*m*m+1}", "{n/2-n%2}". And ranges of integers,
// "2..2000", as values of variables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/study/experiment.hpp"

namespace weft::study {

/// The variables that the text names, each once, in order. Throws InvalidInput for a brace without
/// its other.
std::vector<std::string> variables_in(std::string_view text);

/// The text with variables replaced. Throws InvalidInput for a variable that is not there (with the
/// nearest), and for a product of what is no integer.
std::string substitute(std::string_view text, const Texts& variables);

/// The text with every combination of the values that its variables have in `axes`. Throws
/// InvalidInput for more than a million, before any is made.
std::vector<std::string> all_substitutions(std::string_view text, const std::vector<Axis>& axes);

/// The integers of a range "FIRST..LAST" or "FIRST..LAST:STRIDE", each as text; the text itself
/// where it is no range. Throws InvalidInput for one that runs downwards, a stride below 1, and for
/// more than a million.
std::vector<std::string> range_values(const std::string& text);

/// An integer, a number or a text, whichever it reads as.
Value variable_value(const std::string& text);

}  // namespace weft::study
