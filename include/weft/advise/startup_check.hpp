// StartupCheck: where a comparison without start-ups names a winner that no longer wins once each
// message costs one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::advise {

/// Neighbouring sizes with one winner; contenders by their place in the comparison.
struct WinnerRange {
  std::int64_t first_B = 0, last_B = 0;  // --size of its ends
  std::vector<std::size_t> contenders;   // the fastest at each of its sizes: one, or some that tie
  bool operator==(const WinnerRange&) const = default;
};

struct StartupCheck {
  std::int64_t startup_ps = 0;
  std::vector<WinnerRange> changes;  // by size, where others win; empty where all winners stay
  bool complete = true;              // neither budget nor time limit left a size unchecked
};

}  // namespace weft::advise
