// EventWheel: events in the order of (time, sequence), for delays that are bounded.
//
// The problem. A heap costs a dozen unpredictable comparisons and as many cache misses per event
// once a hundred thousand are pending. Here nearly all delays lie between the shortest and the
// longest hop.
//
// The idea. A calendar of kBuckets buckets, each 2^shift picoseconds wide (a power of two not above
// half the shortest usual delay, and small enough for a bucket to be sorted in the cache): an event
// is appended to its bucket, and a bucket is sorted when its turn comes, by counting on the leading
// bits of the time within it, then by insertion. Both keep the order of equal times, so that
// appending in sequence is all that (time, sequence) asks for: no sequence number is stored, and an
// event has 16 bytes. Events for the bucket that is open already go to a small heap, those beyond
// the calendar's end to another one, from which they move as the calendar turns (before anything
// else can be appended to their bucket, which keeps the order). Both are rare. Events for the very
// time that is being handled come after all that were there for it: they go to a queue, which links
// and switches without latency fill.
//
// Buckets are chains of blocks from one pool, so that the memory in use is that of pending events
// and stays in the cache: buckets with memory of their own would touch all of it once a turn.
//
// Cost: a sequential write, a counting pass and a sequential read per event.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/simulation/packet/engine/pool.hpp"
#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation::packet {

struct Event {
  Time time;
  std::uint32_t id;
  std::uint32_t what;  // the kind in the last byte, 24 bits of its own above
};
static_assert(sizeof(Event) == 16);

/// A binary heap by (time, sequence).
class SequencedHeap {
 public:
  bool empty() const { return entries_.empty(); }
  const Event& top() const { return entries_.front().event; }
  void push(const Event& event);
  Event pop();
  std::size_t memory_B() const { return entries_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    Event event;
    std::uint64_t sequence;
    bool operator>(const Entry& other) const {
      return event.time != other.event.time ? event.time > other.event.time
                                            : sequence > other.sequence;
    }
  };
  std::vector<Entry> entries_;
  std::uint64_t next_sequence_ = 0;
};

class EventWheel {
 public:
  /// Buckets of 2^shift picoseconds.
  explicit EventWheel(int shift) : shift_(shift), buckets_(kBuckets) {}

  /// `event.time` is not before that of the last pop().
  void push(const Event& event) {
    const std::int64_t slot = event.time >> shift_;
    if (slot > open_ && slot < open_ + kBuckets) [[likely]]
      append(slot, event);
    else if (slot <= open_)
      disturb(event);
    else
      far_.push(event);
  }

  /// The next event, or false when there is none.
  bool pop(Event& event) {
    while (true) {
      if (disturbed_) [[unlikely]]
        return pop_disturbed(event), true;
      if (next_ < sorted_.size()) [[likely]] {
        event = sorted_[next_++];
        now_ = event.time;
        return true;
      }
      if (!open_next()) return false;
    }
  }

  /// What pop() would give, or nothing.
  const Event* front();

  /// The event `ahead` places behind the one popped last, if it is known already: for prefetching.
  const Event* peek(std::size_t ahead) const {
    return next_ + ahead < sorted_.size() ? &sorted_[next_ + ahead] : nullptr;
  }

  std::size_t memory_B() const;

 private:
  static constexpr std::int64_t kBuckets = 4096;
  static constexpr std::int64_t kMask = kBuckets - 1;

  static constexpr std::uint32_t kBlock = 64;  // events of a block

  struct Bucket {
    std::int32_t first = kNone, last = kNone;  // blocks
    std::uint32_t size = 0;
  };

  void append(std::int64_t slot, const Event& event) {
    const auto index = static_cast<std::size_t>(slot & kMask);
    Bucket& bucket = buckets_[index];
    if (bucket.size % kBlock == 0) [[unlikely]]
      add_block(index);
    events_[place(bucket.last) * kBlock + bucket.size++ % kBlock] = event;
  }
  void add_block(std::size_t bucket);
  void disturb(const Event& event);
  enum class From : std::uint8_t { bucket, late, instant };
  From next_of_disturbed() const;
  void pop_disturbed(Event& event);
  bool open_next();
  std::int64_t next_filled() const;
  void sort_opened(Bucket& bucket);
  template <class Visit>
  void visit(const Bucket& bucket, Visit&& visit) const;

  int shift_;
  std::int64_t open_ = -1;  // slot (time >> shift) of the bucket that is being emptied
  std::vector<Bucket> buckets_;
  std::vector<Event> events_;                // in blocks
  std::vector<std::int32_t> next_of_block_;  // in a bucket
  std::vector<std::int32_t> free_blocks_;
  std::uint64_t filled_[kBuckets / 64] = {};
  std::vector<Event> sorted_;  // of the open bucket
  std::size_t next_ = 0;       // in sorted_
  std::vector<std::uint32_t> counts_;
  SequencedHeap late_, far_;
  Time now_ = -1;               // of the event popped last
  std::vector<Event> instant_;  // for that time, pushed since
  std::size_t next_instant_ = 0;
  bool disturbed_ = false;  // there is something in late_ or instant_
};

}  // namespace weft::simulation::packet
