// Options that take all numbers between two: --chunks 1..6, --steps 3..
#pragma once

#include <string_view>

namespace weft::cli {

struct CountRange {
  int first = 0, last = 0;
};

/// Reads "3", "1..6" or "1:6:1". Throws InvalidInput for anything else, and where a number between
/// is left out; `what` is the plural of what is counted.
CountRange parse_count_range(std::string_view text, std::string_view what);

/// The same, and "3..", which goes on for `more` numbers.
CountRange parse_open_range(std::string_view text, std::string_view what, int more);

}  // namespace weft::cli
