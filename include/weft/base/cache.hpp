// Where weft keeps what it would have to compute anew.
#pragma once

#include <string>

namespace weft {

/// The file of this name in weft's folder of $XDG_CACHE_HOME or ~/.cache; empty where neither is
/// known.
std::string cache_file(const std::string& name);

}  // namespace weft
