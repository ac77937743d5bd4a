// --algorithms of the commands that take several.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/advise/comparison.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/fields/value.hpp"

namespace weft::cli {

using evaluate::algorithms_in;
using evaluate::algorithms_named;

struct GivenFields;

/// Reads "hierarchical(group=4, segments=2)", as answers write it: `algorithms` becomes the name,
/// and the values get the parameters as texts of --group and --segments. Throws InvalidInput if
/// the text names another algorithm too, if a parameter is unknown, and if it has two values.
void take_parameters(std::string& algorithms, fields::Values& values);
void take_parameters(std::string& algorithms, GivenFields& said);
/// The same for a command that compares algorithms. If the text names several, those with
/// parameters become variants, and `algorithms` keeps the others; "none" if there is no other.
void take_parameters(std::string& algorithms, GivenFields& said,
                     std::vector<advise::NamedVariant>& variants);

/// Notes on the algorithms that were not compared: why, and the remedy; one note for each reason.
std::vector<std::string> notes_of(std::span<const evaluate::Dropped> dropped);

}  // namespace weft::cli
