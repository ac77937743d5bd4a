// Reductions that read their input where it is, so that it is not copied first.
#pragma once

#include "pmpi/script/script.hpp"

namespace weft::pmpi {

/// What a rank reduces starts in `out` as a copy of its input. Sends and sums that come before
/// anything is written to their range read `in` here instead, and `reads_input` is set. Where some
/// range is of both kinds, or of a whole result (`elements` of it; 0 where nobody looks at it) not
/// all is written, the script stays as it is. O(s log s) of s spans.
void read_input_in_place(Script& script, std::int64_t elements);

}  // namespace weft::pmpi
