// Ranges as people write them, the same everywhere: "4", "1,2,8", "1:64" (doubling), "10:50:10" (by
// steps), or a mix with commas; "1..6" is short for 1:6:1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "weft/base/error.hpp"

namespace weft {

/// An item of a list, taken apart; what is not there is empty.
struct RangeText {
  std::string_view first, last, step;
  bool by_ones = false;  // first..last
  bool dotted = false;   // and with a step
};

/// The items of a list. Throws InvalidInput for one with too many colons.
std::vector<RangeText> split_ranges(std::string_view text, std::string_view what);

/// More values than this are a slip of the keyboard.
inline constexpr std::size_t kMostInRange = 1'000'000;

/// Every value of the text, in its order; `one` reads a single value and throws InvalidInput. Both
/// ends of a doubling range are included, by steps the last as far as it is hit. Throws
/// InvalidInput for a range that decreases, doubles from 0, has a step of 0, or too many
/// values.
template <class Value, class One>
std::vector<Value> parse_ranges(std::string_view text, std::string_view what, One one) {
  std::vector<Value> values;
  const auto add = [&](Value value) {
    require(values.size() < kMostInRange, "'{}' has more than {} {}; give fewer", text,
            kMostInRange, what);
    values.push_back(value);
  };
  for (const RangeText& item : split_ranges(text, what)) {
    const Value first = one(item.first);
    if (item.last.empty()) {
      add(first);
      continue;
    }
    const Value last = one(item.last);
    const char* to = item.dotted ? ".." : ":";
    require(first >= 0 && first <= last, "the range {}{}{} of {} decreases; write {}{}{}",
            item.first, to, item.last, what, item.last, to, item.first);
    if (item.step.empty() && !item.by_ones) {
      require(first > 0,
              "the range {}:{} of {} cannot double from 0; start above 0, or write {}:{}:STEP",
              item.first, item.last, what, item.first, item.last);
      Value value = first;
      while (value < last) {
        add(value);
        const bool in_reach = value <= last / 2;  // doubling it does not overflow
        value = in_reach ? value * 2 : last;
      }
      add(last);
      continue;
    }
    const Value step = item.by_ones ? Value(1) : one(item.step);
    require(step > 0, "invalid step {2} in {0}:{1}:{2} (expected more than 0)", item.first,
            item.last, item.step);
    require(first == last || step <= last - first,
            "the step of {}:{}:{} exceeds the range; write a smaller step", item.first, item.last,
            item.step);
    const double count =
        (static_cast<double>(last) - static_cast<double>(first)) / static_cast<double>(step);
    require(count < static_cast<double>(kMostInRange), "'{}' has more than {} {}; give fewer", text,
            kMostInRange, what);
    std::int64_t steps = 0;
    if constexpr (std::is_floating_point_v<Value>)
      // A millionth of a step: 0.3 is in 0.1:0.3:0.1 although the sum of tenths misses it.
      steps = static_cast<std::int64_t>(count + 1e-6);
    else
      steps = (last - first) / step;
    for (std::int64_t i = 0; i <= steps; ++i) add(first + static_cast<Value>(i) * step);
  }
  return values;
}

/// Whole numbers, `least` or more.
std::vector<std::int64_t> parse_counts(
    std::string_view text, std::string_view what, std::int64_t least = 0,
    std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// All whole numbers from one to another: --chunks 1..6, --steps 3..
struct CountRange {
  int first = 0, last = 0;
};

/// Reads "3", "1..6" or "1:6:1". Throws InvalidInput for anything else, and where a number between
/// is left out; `what` is the plural of what is counted.
CountRange parse_count_range(std::string_view text, std::string_view what);

/// The same, and "3..", which goes on for `more` numbers.
CountRange parse_open_range(std::string_view text, std::string_view what, int more);

/// Finite decimal numbers.
std::vector<double> parse_numbers(std::string_view text, std::string_view what);

}  // namespace weft
