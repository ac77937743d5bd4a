#include "weft/simulation/packet/event_wheel.hpp"

#include <algorithm>
#include <functional>

namespace weft::simulation::packet {

void SequencedHeap::push(const Event& event) {
  entries_.push_back({event, next_sequence_++});
  std::push_heap(entries_.begin(), entries_.end(), std::greater<>());
}

Event SequencedHeap::pop() {
  std::pop_heap(entries_.begin(), entries_.end(), std::greater<>());
  const Event event = entries_.back().event;
  entries_.pop_back();
  return event;
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

/// Moves the bucket into sorted_, in order.
void EventWheel::sort_opened(std::vector<Event>& bucket) {
  next_ = 0;
  const std::size_t n = bucket.size();
  sorted_.resize(n);
  const int bits = std::min(shift_, static_cast<int>(std::bit_width(n)));
  const int drop = shift_ - bits;
  const auto mask = (std::size_t{1} << bits) - 1;
  counts_.assign(mask + 2, 0);
  for (const Event& event : bucket)
    ++counts_[(static_cast<std::size_t>(event.time >> drop) & mask) + 1];
  for (std::size_t i = 1; i < counts_.size(); ++i) counts_[i] += counts_[i - 1];
  for (const Event& event : bucket)
    sorted_[counts_[static_cast<std::size_t>(event.time >> drop) & mask]++] = event;
  bucket.clear();
  for (std::size_t i = 1; i < n; ++i) {
    const Event event = sorted_[i];
    std::size_t at = i;
    for (; at > 0 && sorted_[at - 1].time > event.time; --at) sorted_[at] = sorted_[at - 1];
    sorted_[at] = event;
  }
}

std::size_t EventWheel::memory_B() const {
  std::size_t events = sorted_.capacity();
  for (const auto& bucket : buckets_) events += bucket.capacity();
  return events * sizeof(Event) + buckets_.capacity() * sizeof(buckets_[0]) + late_.memory_B() +
         far_.memory_B();
}

}  // namespace weft::simulation::packet
