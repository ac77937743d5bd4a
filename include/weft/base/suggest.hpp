// "did you mean": the names nearest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Edit distance with transpositions (optimal string alignment), letter case ignored.
int edit_distance(std::string_view first, std::string_view second);

/// The up to `most` nearest of the known names, nearest first, as "did you mean x, y?"; where none
/// is near, "known: a, b, c" with all of them.
std::string suggest(std::string_view name, std::span<const std::string> known, int most = 3);

/// Lower case of ASCII letters.
std::string lower(std::string_view text);

}  // namespace weft
