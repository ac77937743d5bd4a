#include "weft/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(trim(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

std::string counted(std::int64_t count, std::string_view what, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", what);
  return many.empty() ? fmt::format("{} {}s", count, what) : fmt::format("{} {}", count, many);
}

}  // namespace weft
