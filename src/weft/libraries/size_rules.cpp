#include "weft/libraries/size_rules.hpp"

#include <charconv>
#include <string>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::libraries {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

// "8", "4K", "1M".
std::int64_t quantity(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, text.data() + text.size());
  require(error == std::errc() && (unit.empty() || unit == "K" || unit == "M"),
          "'{}' is not a number of a decision table", text);
  return unit == "K" ? value << 10 : unit == "M" ? value << 20 : value;
}

bool holds(std::string_view ranks_text, std::int32_t ranks) {
  if (ranks_text == "more") return true;
  require(ranks_text.size() > 1 && (ranks_text[0] == '<' || ranks_text[0] == '='),
          "'{}' has no ranks in a decision table", ranks_text);
  const std::int64_t bound = quantity(ranks_text.substr(1));
  return ranks_text[0] == '<' ? ranks < bound : ranks == bound;
}

}  // namespace

int table_number(std::string_view table, std::int32_t ranks, std::int64_t bytes) {
  for (const std::string_view band : split(table, ';')) {
    const auto colon = band.find(':');
    require(colon != std::string_view::npos, "'{}' is not a band of a decision table", band);
    if (!holds(trimmed(band.substr(0, colon)), ranks)) continue;
    for (const std::string_view rule : split(trimmed(band.substr(colon + 1)), ' ')) {
      if (rule.empty()) continue;
      const auto below = rule.find('<');
      if (below == std::string_view::npos || bytes < quantity(rule.substr(below + 1)))
        return static_cast<int>(quantity(rule.substr(0, below)));
    }
  }
  reject("a decision table has no rule for {} ranks and {} bytes", ranks, bytes);
}

}  // namespace weft::libraries
