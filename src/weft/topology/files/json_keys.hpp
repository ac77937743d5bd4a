// Which keys a JSON text has: nlohmann's parser keeps no lines, and of two keys of one name the
// last.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::topology {

/// Throws InvalidInput, with the line, for a key that is none of `known` and for one that stands
/// twice in its object. Keys within others are known by their path, "facets/xgft/children", those
/// within arrays by that of the array. `text` must be JSON. O(size of the text).
void require_keys(std::string_view text, const std::string& file,
                  const std::vector<std::string>& known);

}  // namespace weft::topology
