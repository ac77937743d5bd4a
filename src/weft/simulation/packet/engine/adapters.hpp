// Adapters: what the hosts' adapters are busy with, and whose messages leave next.
//
// A pipelined adapter has any number of messages in hand, so that its delay is a latency. A serial
// one has one to send and one that came, a shared one has one of both: each message, an
// acknowledgement too, holds it for the delay, in the order in which they come to it. What LogGP
// calls the gap g and the overhead o of a message, at both ends, is that.
//
// In order, a host sends one message at a time: the next one has its turn when the last byte of the
// one before has left. Both are kept by host, whatever the number of its links.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/engine/pool.hpp"
#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation::packet {

class Adapters {
 public:
  enum class Side : std::uint8_t { send, receive };

  Adapters(std::size_t nodes, const PacketOptions& options)
      : delay_ps_(options.adapter_delay_ps),
        shared_(options.adapter == AdapterKind::shared),
        holds_(options.adapter != AdapterKind::pipelined),
        in_order_(options.injection != InjectionOrder::interleaved),
        free_at_(holds_ ? 2 * nodes : 0),
        outlets_(in_order_ ? nodes : 0) {}

  /// Whether a message waits for the adapter of its host.
  bool hold() const { return holds_; }
  /// Whether a message waits for those before it to leave.
  bool in_order() const { return in_order_; }

  /// When a message that comes to the adapter of `node` now has passed it.
  Time pass(std::int32_t node, Side side, Time now) {
    WEFT_ASSERT(holds_);
    Time& free_at = free_at_[2 * place(node) + (side == Side::send || shared_ ? 0u : 1u)];
    return free_at = std::max(free_at, now) + delay_ps_;
  }

  /// When a message of `node` that has its turn now may leave: now, at a later time, at which it
  /// asks again, or once another one has left (kLater).
  static constexpr Time kLater = -1;
  Time leave(std::int32_t node, std::int32_t message, Time now) {
    WEFT_ASSERT(in_order_);
    Outlet& outlet = outlets_[place(node)];
    if (outlet.leaving == message) return now;
    if (outlet.leaving != kNone) {
      outlet.behind.push_back(message);
      return kLater;
    }
    outlet.leaving = message;
    return std::max(now, outlet.free_at);
  }
  /// All of the message that leaves `node` is gone at `time`; the one that leaves then, or kNone.
  std::int32_t next(std::int32_t node, Time time) {
    WEFT_ASSERT(in_order_);
    Outlet& outlet = outlets_[place(node)];
    outlet.free_at = time;
    outlet.leaving = kNone;
    if (outlet.behind.empty()) return kNone;
    outlet.leaving = outlet.behind.front();
    outlet.behind.pop_front();
    return outlet.leaving;
  }

 private:
  struct Outlet {
    std::int32_t leaving = kNone;
    Time free_at = 0;
    std::deque<std::int32_t> behind;
  };
  Time delay_ps_;
  bool shared_, holds_, in_order_;
  std::vector<Time> free_at_;  // by node and side
  std::vector<Outlet> outlets_;
};

}  // namespace weft::simulation::packet
