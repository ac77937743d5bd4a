// Credits of the virtual channels, returned with a delay and mostly without an event.
//
// The sender of a channel holds credits for the free bytes of the buffer at the link's head. A
// returned credit that nobody waits for is only written down with the time at which it counts, and
// folded in when the channel is looked at next; an event is needed where packets wait, or when more
// than kPending returns are under way.
//
// Two channels fill a cache line, since a large network has more of them than the cache holds. The
// times are therefore the last 32 bits of the engine's: a return is written down only if it counts
// within kHorizon of now, and all channels are folded at least that often
// (OutputBuffered::sweep()).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "weft/simulation/packet/engine/pool.hpp"
#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation::packet {

/// One virtual channel of a link.
struct alignas(32) Channel {
  static constexpr int kPending = 2;
  static constexpr Time kHorizon = Time{1} << 30;

  std::int32_t credits = 0;            // bytes
  std::int32_t least = 0;              // credits that there ever were
  std::int32_t first_waiting = kNone;  // of the packets at the link's tail
  std::int32_t credit_ps = 0;          // from the link's head back to its tail

  bool waited_for() const { return first_waiting != kNone; }

  /// As fold() would leave them.
  std::int32_t credits_at(Time now) const {
    std::int32_t sum = credits;
    for (const Return& r : returns_)
      if (until(r, now) <= 0) sum += r.amount;
    return sum;
  }
  void fold(Time now) {
    for (Return& r : returns_)
      if (until(r, now) <= 0) credits += std::exchange(r.amount, 0);
  }
  void fold_all() {
    for (Return& r : returns_) credits += std::exchange(r.amount, 0);
  }
  /// Whether there was a place to write it down.
  bool note(Time now, Time time, std::int32_t amount) {
    if (time - now >= kHorizon) return false;
    for (Return& r : returns_) {
      if (r.amount != 0 && until(r, now) > 0) continue;
      credits += r.amount;
      r = {static_cast<std::uint32_t>(time), amount};
      return true;
    }
    return false;
  }
  /// Hands visit(time, amount) the returns that do not count yet, and forgets them.
  template <class Visit>
  void take_returns(Time now, Visit&& visit) {
    for (Return& r : returns_)
      if (const std::int32_t amount = std::exchange(r.amount, 0); amount != 0)
        visit(now + until(r, now), amount);
  }

 private:
  struct Return {
    std::uint32_t time = 0;
    std::int32_t amount = 0;  // 0: none
  };
  static std::int32_t until(const Return& r, Time now) {
    return static_cast<std::int32_t>(r.time - static_cast<std::uint32_t>(now));
  }

  Return returns_[kPending];
};
static_assert(sizeof(Channel) == 32);

/// The end of a channel's queue of waiting packets, apart since few channels have one.
struct Waiting {
  std::int32_t last = kNone;
  std::int32_t served = kNone;  // input link whose packet waited and was served last
};

}  // namespace weft::simulation::packet
