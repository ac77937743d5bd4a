#include "cli/options/count_range.hpp"

#include "weft/base/error.hpp"
#include "weft/base/range.hpp"

namespace weft::cli {

CountRange parse_count_range(std::string_view text, std::string_view what) {
  constexpr int kMost = 1 << 20;
  const auto numbers = parse_counts(text, what, 1, kMost);
  for (std::size_t i = 1; i < numbers.size(); ++i)
    require(numbers[i] == numbers[i - 1] + 1,
            "'{}' leaves out {} between {} and {} (all are tried); write {}:{}:1", text, what,
            numbers[i - 1], numbers[i], numbers.front(), numbers.back());
  return {static_cast<int>(numbers.front()), static_cast<int>(numbers.back())};
}

CountRange parse_open_range(std::string_view text, std::string_view what, int more) {
  constexpr std::string_view kOpen = "..";
  if (!text.ends_with(kOpen)) return parse_count_range(text, what);
  const CountRange range = parse_count_range(text.substr(0, text.size() - kOpen.size()), what);
  return {range.first, range.last + more};
}

}  // namespace weft::cli
