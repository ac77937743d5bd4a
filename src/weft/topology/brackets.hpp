// Texts in which commas within brackets belong to an item: "(1,3),(0 1)(2 3)".
#pragma once

#include <string_view>
#include <vector>

namespace weft::topology {

/// The parts between commas outside of round brackets, without blanks around them; one at least.
std::vector<std::string_view> split_outside_brackets(std::string_view text);

}  // namespace weft::topology
