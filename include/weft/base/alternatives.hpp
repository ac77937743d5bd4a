// Lists of alternatives as sentences have them.
#pragma once

#include <span>
#include <string>

namespace weft {

/// "a", "a or b", "a, b or c"; empty for none.
std::string alternatives(std::span<const std::string> names);

}  // namespace weft
