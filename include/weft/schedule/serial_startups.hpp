// Start-ups that follow each other in a schedule, with a barrier between its steps.
#pragma once

#include <cstdint>

#include "weft/base/error.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// Of `segments` segments: first + (segments - 1) * each. Paid per message, `first` sums over the
/// stored steps the most messages that one agent has in a step, and `each` over the steps of one
/// stride those that it has at once while the pipeline is full; paid per step both count steps. No
/// run pays less than `busiest`: per message those of the agent that has most in a segment.
/// Helpers, which are switches, pay none.
struct SerialStartups {
  std::int64_t first = 0, each = 0, busiest = 0;

  std::int64_t of(std::int64_t segments) const {
    WEFT_ASSERT(segments >= 1);
    return first + (segments - 1) * each;
  }
};

enum class MessageEnd : std::uint8_t { sender, receiver };

/// O(messages of a segment, all orbits included); paid per step O(1).
SerialStartups serial_startups(const Schedule& schedule, MessageEnd end, StartupPer per);

/// The most messages that an agent has in one step of a segment, those to itself apart. O(messages
/// of a segment, all orbits included).
std::int64_t most_at_once(const Schedule& schedule, MessageEnd end);

}  // namespace weft::schedule
