// What `weft compare` says of start-ups where nobody gave one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// The start-up to ask about, in picoseconds: 1 us where none was given, else 0.
std::int64_t startup_to_check(const GivenFields& said);

/// "with a start-up of 1us per message (--alpha 1us) bruck wins up to 16KiB: ..." and a line's end;
/// nothing where all winners stay, or nobody asked.
std::string startup_advice(const advise::Comparison& comparison, StartupPer per);

/// A range of sizes and who wins there, of a comparison.
struct UsedWinnerRange {
  const advise::Comparison& comparison;
  advise::WinnerRange range;
};
std::vector<UsedWinnerRange> used_winner_ranges(
    const advise::Comparison& comparison, const std::vector<advise::WinnerRange>& winner_ranges);
answer::Parts<UsedWinnerRange> winner_range_parts();
/// Of a comparison whose start-ups were checked: `alpha`, and `winners` where others win.
answer::Parts<advise::Comparison> startup_check_parts();

}  // namespace weft::cli
