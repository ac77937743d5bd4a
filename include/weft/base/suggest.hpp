// "did you mean": the names nearest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Edit distance with transpositions (optimal string alignment), letter case ignored.
int edit_distance(std::string_view first, std::string_view second);

/// What another name, of another program or of the field, comes to here: a whole remark.
struct Meaning {
  std::string_view name, remark;
};

/// The up to `most` nearest of the known names, nearest first, as "did you mean x, y?". A name up
/// to a dot is near: node7 to node7.cluster. The remark of a meaning that is nearer than all known
/// names stands in their place. Where none is near, "known: a, b, c" with all of them, of over 50
/// the first ten and how many more.
std::string suggest(std::string_view name, std::span<const std::string> known, int most = 3);
std::string suggest(std::string_view name, std::span<const std::string> known,
                    std::span<const Meaning> meanings);

/// Lower case of ASCII letters.
std::string lower(std::string_view text);

}  // namespace weft
