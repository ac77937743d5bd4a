// EventHeap: events in the order of (time, sequence).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::simulation {

enum class EventKind : std::uint8_t {
  issue,
  start,
  deliver,
  release,
  leave,
  land,
  resume,
  work,    // own work `index` is done
  let_go,  // an eager message is out of its sender's hands
  begin,   // the program starts
};

/// What happens to a message (`index` in the loaded step `slot`) or an agent (`index`).
struct Happening {
  EventKind kind;
  std::int32_t slot, index;
};

struct Event {
  double time;
  std::uint64_t order;  // sequence, then the kind in the last byte: 24 bytes in all
  std::int32_t slot, index;

  Happening happening() const { return {static_cast<EventKind>(order & 0xff), slot, index}; }
};
static_assert(sizeof(Event) == 24);

/// A 4-ary heap; events of one time leave in the order in which they came.
class EventHeap {
 public:
  bool empty() const { return events_.empty(); }
  const Event& top() const { return events_.front(); }

  void push(double time, Happening what) {
    const std::uint64_t order = next_sequence_++ << 8 | static_cast<std::uint64_t>(what.kind);
    const Event event{time, order, what.slot, what.index};
    events_.push_back(event);
    std::size_t place = events_.size() - 1;
    while (place > 0) {
      const std::size_t parent = (place - 1) / kArity;
      if (!before(event, events_[parent])) break;
      events_[place] = events_[parent];
      place = parent;
    }
    events_[place] = event;
  }

  /// All of them, as they would leave.
  std::vector<Event> in_order() const {
    std::vector<Event> events = events_;
    std::ranges::sort(events, before);
    return events;
  }

  Event pop() {
    const Event top = events_.front();
    const Event last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sift_down(last);
    return top;
  }

 private:
  static constexpr std::size_t kArity = 4;

  static bool before(const Event& a, const Event& b) {
    return a.time < b.time || (a.time == b.time && a.order < b.order);
  }
  void sift_down(const Event& event) {
    std::size_t place = 0;
    while (true) {
      const std::size_t first = place * kArity + 1;
      if (first >= events_.size()) break;
      const std::size_t end = std::min(first + kArity, events_.size());
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child)
        if (before(events_[child], events_[least])) least = child;
      if (!before(events_[least], event)) break;
      events_[place] = events_[least];
      place = least;
    }
    events_[place] = event;
  }

  std::vector<Event> events_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace weft::simulation
