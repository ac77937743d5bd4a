#include "weft/base/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

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

namespace {

constexpr int kMostSuggested = 3;
constexpr std::size_t kMostListed = 50, kListedOfMany = 10;

// 0: one holds the other, as a part or up to a dot; nothing where they are not near.
std::optional<int> nearness(std::string_view name, std::string_view known) {
  const std::string a = lower(name), b = lower(known);
  if (a.size() >= 3 && b.find(a) != std::string::npos) return 0;
  if (a.starts_with(b + '.')) return 0;
  const int distance = edit_distance(a, b);
  const int longest = static_cast<int>(std::max(a.size(), b.size()));
  const bool is_near = distance <= longest / 3 + 1 && distance < longest;  // a letter must agree
  return is_near ? std::optional(distance) : std::nullopt;
}

using Near = std::vector<std::pair<int, std::string>>;  // nearest first

Near nearest(std::string_view name, std::span<const std::string> known) {
  Near near;
  for (const std::string& candidate : known)
    if (const auto distance = nearness(name, candidate)) near.emplace_back(*distance, candidate);
  std::ranges::stable_sort(near, {}, &Near::value_type::first);
  // One letter off is what the user meant: names that are further away only distract, but for those
  // that begin with what was typed.
  if (!near.empty() && near.front().first == 1)
    std::erase_if(near, [&](const auto& each) {
      return each.first > 1 && !lower(each.second).starts_with(lower(name));
    });
  return near;
}

std::string text_of(const Near& near, std::span<const std::string> known, int most) {
  if (near.empty()) {
    if (known.size() <= kMostListed) return fmt::format("known: {}", fmt::join(known, ", "));
    return fmt::format("known: {}, ... and {} more", fmt::join(known.first(kListedOfMany), ", "),
                       known.size() - kListedOfMany);
  }
  std::vector<std::string> names;
  for (const auto& [distance, candidate] : near)
    if (static_cast<int>(names.size()) < most) names.push_back(candidate);
  return fmt::format("did you mean {}?", fmt::join(names, ", "));
}

}  // namespace

std::string suggest(std::string_view name, std::span<const std::string> known, int most) {
  return text_of(nearest(name, known), known, most);
}

std::string suggest(std::string_view name, std::span<const std::string> known,
                    std::span<const Meaning> meanings) {
  const Near near = nearest(name, known);
  int least = near.empty() ? std::numeric_limits<int>::max() : near.front().first;
  std::string_view remark;
  for (const Meaning& meaning : meanings) {
    // Less is near than to known names: a remark on something else misleads.
    const int distance = edit_distance(name, meaning.name);
    if (distance > static_cast<int>(meaning.name.size()) / 5 || distance >= least) continue;
    least = distance;
    remark = meaning.remark;
  }
  return remark.empty() ? text_of(near, known, kMostSuggested) : std::string(remark);
}

}  // namespace weft
