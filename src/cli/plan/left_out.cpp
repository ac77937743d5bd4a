#include "cli/plan/left_out.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace weft::cli {

namespace {

// An algorithm, for one reason.
struct Group {
  const evaluate::Dropped& what;
  std::vector<std::string_view> collectives;
};

std::vector<Group> grouped(std::span<const advise::LeftOut> left_out) {
  std::vector<Group> groups;
  for (const advise::LeftOut& each : left_out) {
    const auto same = std::ranges::find_if(groups, [&](const Group& group) {
      return group.what.algorithm == each.what.algorithm && group.what.reason == each.what.reason;
    });
    if (same == groups.end())
      groups.push_back({each.what, {name_of(each.collective)}});
    else
      same->collectives.push_back(name_of(each.collective));
  }
  return groups;
}

}  // namespace

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

Json json_of(std::span<const advise::LeftOut> left_out) {
  Json json = Json::array();
  for (const auto& [what, collectives] : grouped(left_out))
    json.push_back(
        {{"algorithm", what.algorithm}, {"collectives", collectives}, {"reason", what.reason}});
  return json;
}

}  // namespace weft::cli
