#include "cli/plan/left_out.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "weft/answer/keys.hpp"

namespace weft::cli {

std::vector<LeftOutGroup> grouped(std::span<const advise::LeftOut> left_out) {
  std::vector<LeftOutGroup> groups;
  for (const advise::LeftOut& each : left_out) {
    const auto same = std::ranges::find_if(groups, [&](const LeftOutGroup& group) {
      return group.what.algorithm == each.what.algorithm && group.what.reason == each.what.reason;
    });
    if (same == groups.end())
      groups.push_back({each.what, {each.collective}});
    else
      same->collectives.emplace_back(each.collective);
  }
  return groups;
}

answer::Parts<LeftOutGroup> left_out_parts() {
  constexpr answer::PartOf<LeftOutGroup> part;
  return {part(keys::kAlgorithm, [](const LeftOutGroup& group) { return group.what.algorithm; }),
          part("collectives", "", answer::Unit::none, "collectives that are planned without it",
               &LeftOutGroup::collectives),
          part("reason", "", answer::Unit::none, "why it is left out",
               [](const LeftOutGroup& group) { return group.what.reason; })};
}

std::vector<std::string> notes_of(std::span<const advise::LeftOut> left_out) {
  std::vector<std::string> notes;
  for (const auto& [what, collectives] : grouped(left_out))
    notes.push_back(fmt::format("{} of {} is left out ({}); {}", what.algorithm,
                                fmt::join(collectives, ", "), what.reason, what.remedy));
  return notes;
}

std::string left_out_text(std::span<const advise::LeftOut> left_out) {
  std::vector<std::string> texts;
  for (const auto& [what, collectives] : grouped(left_out))
    texts.push_back(
        fmt::format("{} of {} ({})", what.algorithm, fmt::join(collectives, ", "), what.reason));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace weft::cli
