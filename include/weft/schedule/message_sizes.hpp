// The least and the greatest message that a schedule sends.
#pragma once

#include <cstdint>

#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// In units of the schedule's; 0 where all messages are to oneself.
struct MessageUnits {
  std::int64_t least = 0, most = 0;
};
/// O(messages and pieces that are stored).
MessageUnits message_units(const Schedule& schedule);

/// In bytes; 0 where nothing is sent.
struct MessageSizes {
  std::int64_t least_B = 0, most_B = 0;
};
/// Those of one call that is given `size_B` (--size). Parts of a byte are cut off, since units of a
/// buffer that they do not divide differ by one byte; a message with less than one has one.
MessageSizes message_sizes(const Schedule& schedule, const MessageUnits& units,
                           std::int64_t size_B);
MessageSizes message_sizes(const Schedule& schedule, std::int64_t size_B);

}  // namespace weft::schedule
