#include "weft/base/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace weft {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

int edit_distance(std::string_view first, std::string_view second) {
  const std::string a = lower(first), b = lower(second);
  const std::size_t width = b.size() + 1;
  std::vector<int> before(width), previous(width), current(width);
  std::iota(previous.begin(), previous.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min(
          {previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

std::string suggest(std::string_view name, std::span<const std::string> known, int most) {
  std::vector<std::pair<int, std::string>> near;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(name, candidate);
    const bool contains =
        name.size() >= 3 && lower(candidate).find(lower(name)) != std::string::npos;
    if (contains || distance <= static_cast<int>(std::max(name.size(), candidate.size())) / 3 + 1)
      near.emplace_back(contains ? 0 : distance, candidate);
  }
  if (near.empty()) return fmt::format("known: {}", fmt::join(known, ", "));
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [distance, candidate] : near)
    if (static_cast<int>(names.size()) < most) names.push_back(candidate);
  return fmt::format("did you mean {}?", fmt::join(names, ", "));
}

}  // namespace weft
