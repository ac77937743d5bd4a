// The lines of weft find as tables.
#pragma once

#include "cli/find/find_measures.hpp"

namespace weft::cli {

/// The word for how a line's cost is reached, and for how its network is wired.
const char* name_of(search::ReachedBy algorithm);
const char* wiring_of(const FoundMeasures& measures);

/// For programs: exact fractions, seconds.
Table exact_lines(const FoundFronts& found, const MeasuredFronts& measured);

/// For people: what is long comes last.
Table shown_lines(const FoundFronts& found, const MeasuredFronts& measured);

}  // namespace weft::cli
