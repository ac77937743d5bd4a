// RunLine: values along an interval, kept as sorted runs of equal value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::schedule {

/// The interval [0, length) cut into runs of equal value; lookups are binary searches, updates
/// splice.
class RunLine {
 public:
  using Value = std::int32_t;

  /// One run of `value`.
  void reset(std::uint32_t length, Value value) {
    length_ = length;
    runs_.assign(1, {0, value});
  }

  /// Calls visit(first, end, value) for each run in [first, end), cut to it.
  template <class Visit>
  void visit(std::uint32_t first, std::uint32_t end, Visit&& visit) const {
    WEFT_ASSERT(first < end && end <= length_);
    for (std::size_t i = find(first); first < end; ++i) {
      const std::uint32_t stop = std::min(end, end_of(i));
      visit(first, stop, runs_[i].value);
      first = stop;
    }
  }

  /// Replaces each value v in [first, end) by change(first, end, v), which is called once for each
  /// run.
  template <class Change>
  void transform(std::uint32_t first, std::uint32_t end, Change&& change) {
    WEFT_ASSERT(first < end && end <= length_);
    const std::size_t i = find(first);
    std::size_t j = i;
    scratch_.clear();
    if (runs_[i].first < first) scratch_.push_back(runs_[i]);
    for (std::uint32_t at = first; at < end; ++j) {
      const std::uint32_t stop = std::min(end, end_of(j));
      push({at, change(at, stop, runs_[j].value)});
      at = stop;
    }
    if (end < end_of(j - 1)) push({end, runs_[j - 1].value});
    splice(i, j);
  }

  void assign(std::uint32_t first, std::uint32_t end, Value value) {
    transform(first, end, [&](std::uint32_t, std::uint32_t, Value) { return value; });
  }

 private:
  struct Run {
    std::uint32_t first;
    Value value;
  };

  std::size_t find(std::uint32_t unit) const {
    WEFT_ASSERT(unit < length_);
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), unit,
                         [](std::uint32_t u, const Run& run) { return u < run.first; });
    return static_cast<std::size_t>(after - runs_.begin()) - 1;
  }
  std::uint32_t end_of(std::size_t i) const {
    return i + 1 < runs_.size() ? runs_[i + 1].first : length_;
  }

  void push(Run run) {
    if (scratch_.empty() || scratch_.back().value != run.value) scratch_.push_back(run);
  }

  // Puts the scratch in the place of runs [i, j), merged with equal neighbours.
  void splice(std::size_t i, std::size_t j) {
    std::span<const Run> fresh = scratch_;
    if (i > 0 && runs_[i - 1].value == fresh.front().value) fresh = fresh.subspan(1);
    const Run& last = fresh.empty() ? runs_[i - 1] : fresh.back();
    if (j < runs_.size() && runs_[j].value == last.value) ++j;
    const auto old = static_cast<std::ptrdiff_t>(j - i);
    const auto count = static_cast<std::ptrdiff_t>(fresh.size());
    const auto at = runs_.begin() + static_cast<std::ptrdiff_t>(i);
    std::copy(fresh.begin(), fresh.begin() + std::min(old, count), at);
    if (count > old) runs_.insert(at + old, fresh.begin() + old, fresh.end());
    if (count < old) runs_.erase(at + count, at + old);
  }

  std::uint32_t length_ = 0;
  std::vector<Run> runs_;
  std::vector<Run> scratch_;
};

}  // namespace weft::schedule
