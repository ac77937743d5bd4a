#include "memory.hpp"

#include <algorithm>

namespace weft::mpi_bench {

void Memory::touch(const UnitRange& range) {
  touched_[static_cast<std::size_t>(range.buffer)].push_back(
      {range.first, range.first + range.count, 0});
}

void Memory::lay_out() {
  for (std::vector<Interval>& intervals : touched_) {
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.first < b.first; });
    std::vector<Interval> merged;
    for (const Interval& each : intervals)
      if (!merged.empty() && each.first <= merged.back().end)
        merged.back().end = std::max(merged.back().end, each.end);
      else
        merged.push_back(each);
    for (Interval& each : merged) {
      each.place = units_;
      units_ += each.end - each.first;
    }
    intervals = std::move(merged);
  }
}

Span Memory::find(const UnitRange& range) const {
  const std::vector<Interval>& intervals = touched_[static_cast<std::size_t>(range.buffer)];
  const auto after = std::upper_bound(
      intervals.begin(), intervals.end(), range.first,
      [](std::int64_t first, const Interval& interval) { return first < interval.first; });
  const Interval& found = *(after - 1);
  return {found.place + range.first - found.first, range.count};
}

void Memory::resize(std::int64_t elements) {
  elements_ = elements;
  data_.resize(static_cast<std::size_t>(units_ * elements));
}

}  // namespace weft::mpi_bench
