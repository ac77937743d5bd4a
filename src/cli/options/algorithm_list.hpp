// --algorithms of the commands that take several.
#pragma once

#include <string>
#include <vector>

#include "weft/question/comparison.hpp"

namespace weft::cli {

/// The names of a list with commas, "all" beside others too; none for "all" alone and where nothing
/// was said. Throws InvalidInput for an empty or unknown name, and for one that stands there twice.
std::vector<std::string> algorithms_in(const std::string& list);

/// The same with the names of all that apply in place of "all", and where nothing was said.
std::vector<std::string> algorithms_named(const std::string& list, const Collective& collective,
                                          const Network& network);

/// A line that says which algorithm was not compared, why, and what helps.
std::string note_of(const question::Dropped& dropped);

}  // namespace weft::cli
