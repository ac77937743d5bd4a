// --algorithms of the commands that take several.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// The names of a list with commas; none for "all" and where nothing was said. Throws InvalidInput
/// for an empty or unknown name, and for one that stands there twice.
std::vector<std::string> algorithms_in(const std::string& list);

}  // namespace weft::cli
