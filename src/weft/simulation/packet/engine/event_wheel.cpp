#include "weft/simulation/packet/engine/event_wheel.hpp"

#include <algorithm>
#include <functional>

#include "weft/base/error.hpp"

namespace weft::simulation::packet {

void SequencedHeap::push(const Event& event) {
  entries_.push_back({event, next_sequence_++});
  std::push_heap(entries_.begin(), entries_.end(), std::greater<>());
}

Event SequencedHeap::pop() {
  WEFT_ASSERT(!entries_.empty());
  std::pop_heap(entries_.begin(), entries_.end(), std::greater<>());
  const Event event = entries_.back().event;
  entries_.pop_back();
  return event;
}

/// The event is for the bucket that is open.
void EventWheel::disturb(const Event& event) {
  disturbed_ = true;
  if (event.time == now_)
    instant_.push_back(event);
  else
    late_.push(event);
}

/// Of equal times, what was in the bucket was pushed first, and last what is in instant_.
EventWheel::From EventWheel::next_of_disturbed() const {
  const bool instant = next_instant_ < instant_.size();
  if (next_ < sorted_.size() && (late_.empty() || sorted_[next_].time <= late_.top().time) &&
      (!instant || sorted_[next_].time == now_))
    return From::bucket;
  return !late_.empty() && (!instant || late_.top().time == now_) ? From::late : From::instant;
}

const Event* EventWheel::front() {
  if (!disturbed_) return next_ < sorted_.size() || open_next() ? &sorted_[next_] : nullptr;
  switch (next_of_disturbed()) {
    case From::bucket:
      return &sorted_[next_];
    case From::late:
      return &late_.top();
    case From::instant:
      break;
  }
  return &instant_[next_instant_];
}

void EventWheel::pop_disturbed(Event& event) {
  switch (next_of_disturbed()) {
    case From::bucket:
      event = sorted_[next_++];
      break;
    case From::late:
      event = late_.pop();
      break;
    case From::instant:
      event = instant_[next_instant_++];
      break;
  }
  if (next_instant_ == instant_.size()) {
    instant_.clear();
    next_instant_ = 0;
  }
  now_ = event.time;
  disturbed_ = !late_.empty() || !instant_.empty();
}

/// The slot of the first bucket that holds something, or -1.
std::int64_t EventWheel::next_filled() const {
  const std::int64_t first = open_ + 1;
  const auto start = static_cast<std::size_t>(first & kMask);
  constexpr std::size_t kWords = kBuckets / 64;
  for (std::size_t i = 0; i <= kWords; ++i) {
    const std::size_t word = (start / 64 + i) % kWords;
    std::uint64_t bits = filled_[word];
    if (i == 0) bits &= ~std::uint64_t{0} << (start % 64);
    if (i == kWords) bits &= ~(~std::uint64_t{0} << (start % 64));
    if (bits == 0) continue;
    const auto bucket = static_cast<std::int64_t>(word * 64) + std::countr_zero(bits);
    return first + ((bucket - first) & kMask);
  }
  return -1;
}

bool EventWheel::open_next() {
  std::int64_t slot = next_filled();
  if (!far_.empty()) {
    const std::int64_t far = far_.top().time >> shift_;
    slot = slot < 0 ? far : std::min(slot, far);
  }
  if (slot < 0) return false;
  open_ = slot;
  while (!far_.empty() && far_.top().time >> shift_ < open_ + kBuckets) {
    const Event event = far_.pop();
    append(event.time >> shift_, event);
  }
  const auto bucket = static_cast<std::size_t>(slot & kMask);
  filled_[bucket / 64] &= ~(std::uint64_t{1} << (bucket % 64));
  sort_opened(buckets_[bucket]);
  return true;
}

void EventWheel::add_block(std::size_t bucket) {
  if (free_blocks_.empty()) {
    free_blocks_.push_back(static_cast<std::int32_t>(next_of_block_.size()));
    next_of_block_.push_back(kNone);
    events_.resize(events_.size() + kBlock);
  }
  const std::int32_t block = free_blocks_.back();
  free_blocks_.pop_back();
  next_of_block_[place(block)] = kNone;
  Bucket& to = buckets_[bucket];
  if (to.size == 0) {
    to.first = block;
    filled_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
  } else {
    next_of_block_[place(to.last)] = block;
  }
  to.last = block;
}

template <class Visit>
void EventWheel::visit(const Bucket& bucket, Visit&& visit) const {
  std::uint32_t left = bucket.size;
  for (std::int32_t block = bucket.first; block != kNone; block = next_of_block_[place(block)]) {
    const Event* events = &events_[place(block) * kBlock];
    const std::uint32_t count = std::min(left, kBlock);
    for (std::uint32_t i = 0; i < count; ++i) visit(events[i]);
    left -= count;
  }
}

/// Moves the bucket into sorted_, in order.
void EventWheel::sort_opened(Bucket& bucket) {
  next_ = 0;
  const std::size_t n = bucket.size;
  sorted_.resize(n);
  const int bits = std::min(shift_, static_cast<int>(std::bit_width(n)));
  const int drop = shift_ - bits;
  const auto mask = (std::size_t{1} << bits) - 1;
  const auto bin = [&](const Event& event) {
    return static_cast<std::size_t>(event.time >> drop) & mask;
  };
  counts_.assign(mask + 2, 0);
  visit(bucket, [&](const Event& event) { ++counts_[bin(event) + 1]; });
  for (std::size_t i = 1; i < counts_.size(); ++i) counts_[i] += counts_[i - 1];
  visit(bucket, [&](const Event& event) { sorted_[counts_[bin(event)]++] = event; });
  for (std::int32_t block = bucket.first; block != kNone; block = next_of_block_[place(block)])
    free_blocks_.push_back(block);
  bucket = {};
  for (std::size_t i = 1; i < n; ++i) {
    const Event event = sorted_[i];
    std::size_t at = i;
    for (; at > 0 && sorted_[at - 1].time > event.time; --at) sorted_[at] = sorted_[at - 1];
    sorted_[at] = event;
  }
}

std::size_t EventWheel::memory_B() const {
  return (sorted_.capacity() + events_.capacity() + instant_.capacity()) * sizeof(Event) +
         buckets_.capacity() * sizeof(Bucket) + late_.memory_B() + far_.memory_B();
}

}  // namespace weft::simulation::packet
