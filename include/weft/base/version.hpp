// The version of the library, as results and files repeat it.
#pragma once

#include <string_view>

namespace weft {

/// "major.minor.patch", from the project's CMakeLists.txt.
std::string_view version();

}  // namespace weft
