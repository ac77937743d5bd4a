#include "weft/base/range.hpp"

#include <algorithm>
#include <cmath>

#include "weft/base/text.hpp"

namespace weft {

namespace {

constexpr std::string_view kHelp =
    "4, 1,2,8, 3..8 (by ones), 1:64 (doubling) or 10:50:10 (by steps)";

RangeText split_range(std::string_view item, std::string_view whole, std::string_view what) {
  RangeText range;
  const std::size_t dots = item.find("..");
  range.by_ones = range.dotted = dots != std::string_view::npos;
  const std::size_t end = range.by_ones ? dots : std::min(item.find(':'), item.size());
  range.first = trim(item.substr(0, end));
  if (end == item.size()) return range;
  const std::string_view rest = item.substr(end + (range.by_ones ? 2 : 1));
  const std::size_t colon = std::min(rest.find(':'), rest.size());
  range.last = trim(rest.substr(0, colon));
  if (colon < rest.size()) {
    range.step = trim(rest.substr(colon + 1));
    range.by_ones = false;
    require(!range.step.empty(), "invalid {1} '{0}' (expected {2})", whole, what, kHelp);
  }
  require(!range.last.empty(), "invalid {1} '{0}' (expected {2})", whole, what, kHelp);
  return range;
}

template <class Value>
Value number(std::string_view text, std::string_view what) {
  const auto value = number_in<Value>(text);
  require(value.has_value(), "invalid {1} '{0}' (expected {2})", text, what, kHelp);
  return *value;
}

}  // namespace

std::vector<RangeText> split_ranges(std::string_view text, std::string_view what) {
  std::vector<RangeText> items;
  for (std::size_t from = 0, to = 0; to != std::string_view::npos; from = to + 1) {
    to = text.find(',', from);
    items.push_back(split_range(text.substr(from, to - from), text, what));
  }
  return items;
}

std::vector<std::int64_t> parse_counts(std::string_view text, std::string_view what,
                                       std::int64_t least, std::int64_t most) {
  const auto one = [&](std::string_view digits) { return number<std::int64_t>(digits, what); };
  std::vector<std::int64_t> counts = parse_ranges<std::int64_t>(text, what, one);
  for (const std::int64_t count : counts)
    require(count >= least && count <= most, "{} of '{}' is out of range for {} ({} to {})", count,
            text, what, least, most);
  return counts;
}

CountRange parse_count_range(std::string_view text, std::string_view what) {
  constexpr int kMost = 1 << 20;
  const auto numbers = parse_counts(text, what, 1, kMost);
  for (std::size_t i = 1; i < numbers.size(); ++i)
    require(numbers[i] == numbers[i - 1] + 1,
            "'{}' has no step of {} between {} and {}; write {}:{}:1 for all of them", text, what,
            numbers[i - 1], numbers[i], numbers.front(), numbers.back());
  return {static_cast<int>(numbers.front()), static_cast<int>(numbers.back())};
}

CountRange parse_open_range(std::string_view text, std::string_view what, int more) {
  constexpr std::string_view kOpen = "..";
  if (!text.ends_with(kOpen)) return parse_count_range(text, what);
  const CountRange range = parse_count_range(text.substr(0, text.size() - kOpen.size()), what);
  return {range.first, range.last + more};
}

std::vector<double> parse_numbers(std::string_view text, std::string_view what) {
  return parse_ranges<double>(text, what, [&](std::string_view digits) {
    const double value = number<double>(digits, what);
    require(std::isfinite(value), "'{}' is not a finite number of {}", digits, what);
    return value;
  });
}

}  // namespace weft
