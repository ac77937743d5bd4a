// What `weft compare` says of start-ups where nobody gave one.
#pragma once

#include <cstdint>
#include <string>

#include "cli/options/options.hpp"
#include "weft/advise/comparison.hpp"

namespace weft::cli {

/// The start-up to ask about, in picoseconds: 1 us where none was given, else 0.
std::int64_t startup_to_check(const Said& said);

/// "with a start-up of 1us per message (--alpha 1us) bruck wins up to 16KiB: ..." and a line's end;
/// nothing where all winners stay, or nobody asked.
std::string startup_advice(const advise::Comparison& comparison, StartupPer per);

/// `alpha` (seconds) and `winners` of `from to algorithms`, where others win.
Json json_of_startups(const advise::Comparison& comparison);

}  // namespace weft::cli
