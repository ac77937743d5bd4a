// --algorithms of the commands that take several.
#pragma once

#include <string>
#include <vector>

#include "weft/question/comparison.hpp"
#include "weft/question/comparison/algorithm_names.hpp"

namespace weft::cli {

using question::algorithms_in;

/// The same with the names of all that apply, each with those of the options that it takes, in
/// place of "all", and where nothing was said.
std::vector<std::string> algorithms_named(const std::string& list, const Collective& collective,
                                          const Network& network,
                                          const algorithm::AlgorithmOptions& options = {});

/// A line that says which algorithm was not compared, why, and what helps.
std::string note_of(const question::Dropped& dropped);

}  // namespace weft::cli
