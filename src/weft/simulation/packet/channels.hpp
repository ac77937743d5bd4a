// Credits of the virtual channels, returned with a delay and mostly without an event.
//
// The sender of a channel holds credits for the free bytes of the buffer at the link's head. A
// returned credit that nobody waits for is only written down with the time at which it counts, and
// folded in when the channel is looked at next; an event is needed where packets wait, or when more
// than kPending returns are under way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/simulation/packet/pool.hpp"
#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation::packet {

/// One virtual channel of a link.
struct alignas(64) Channel {
  static constexpr int kPending = 3;

  std::int32_t credits = 0;                                  // bytes
  std::int32_t least = 0;                                    // credits that there ever were
  std::int32_t first_waiting = kNone, last_waiting = kNone;  // packets at the link's tail
  Time times[kPending] = {};                                 // when pending returns count
  std::int32_t amounts[kPending] = {};
  std::int32_t pending = 0;
  std::int32_t credit_ps = 0;   // from the link's head back to its tail
  std::int32_t served = kNone;  // input link whose packet waited and was served last

  bool waited_for() const { return first_waiting != kNone; }

  /// As fold() would leave them.
  std::int32_t credits_at(Time now) const {
    std::int32_t sum = credits;
    for (std::int32_t i = 0; i < pending; ++i)
      if (times[i] <= now) sum += amounts[i];
    return sum;
  }
  void fold(Time now) {
    for (std::int32_t i = 0; i < pending;) {
      if (times[i] > now) {
        ++i;
        continue;
      }
      credits += amounts[i];
      --pending;
      times[i] = times[pending];
      amounts[i] = amounts[pending];
    }
  }
  /// Whether there was a place to write it down.
  bool note(Time time, std::int32_t amount) {
    if (pending == kPending) return false;
    times[pending] = time;
    amounts[pending] = amount;
    ++pending;
    return true;
  }
};
static_assert(sizeof(Channel) == 64);

}  // namespace weft::simulation::packet
