// Lists of algorithms, as options and fields that take several write them: "ring,bruck".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::question {

/// The names of a list with commas, kAll beside others too; none for "all" alone and where nothing
/// was said. Throws InvalidInput for an empty or unknown name, and for one that stands there twice.
std::vector<std::string> algorithms_in(const std::string& list);

}  // namespace weft::question
