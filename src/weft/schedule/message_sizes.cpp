#include "weft/schedule/message_sizes.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::schedule {

MessageUnits message_units(const Schedule& schedule) {
  MessageUnits found;
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m) {
    if (schedule.message(m).from == schedule.message(m).to) continue;
    std::int64_t units = 0;
    for (const Piece& piece : schedule.pieces(m)) units += piece.count;
    found.least = found.most == 0 ? units : std::min(found.least, units);
    found.most = std::max(found.most, units);
  }
  WEFT_ASSERT(found.least <= found.most);
  return found;
}

MessageSizes message_sizes(const Schedule& schedule, const MessageUnits& units,
                           std::int64_t size_B) {
  WEFT_ASSERT(units.least >= 0 && units.least <= units.most && units.most <= schedule.units());
  const std::int64_t total_B = schedule.collective().total_bytes(size_B);
  if (units.most == 0 || total_B == 0) return {};
  const std::int64_t parts = checked_mul(schedule.units(), schedule.segments().count);
  const auto bytes = [&](std::int64_t count) {
    return std::max<std::int64_t>(1, mul_div(count, total_B, parts));
  };
  return {bytes(units.least), bytes(units.most)};
}

MessageSizes message_sizes(const Schedule& schedule, std::int64_t size_B) {
  return message_sizes(schedule, message_units(schedule), size_B);
}

}  // namespace weft::schedule
