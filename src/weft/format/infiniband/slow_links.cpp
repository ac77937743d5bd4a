#include "slow_links.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>

#include "weft/base/text.hpp"

namespace weft::format::infiniband {

using topology::NoteKind;

void SlowLinks::tell(topology::ImportLog& log) const {
  if (!mismatches_.empty())
    log.note(fmt::format("the ends of {} disagree on the rate; the lower rate is used: {}",
                         counted(std::ssize(mismatches_), "cable"), first_of(mismatches_)),
             NoteKind::answer);
  std::map<std::string, std::map<std::int64_t, std::vector<const Cable*>>> groups;
  for (const Cable& cable : cables_) groups[cable.group][cable.bandwidth_Bps].push_back(&cable);
  for (const auto& [group, rates] : groups) {
    std::size_t all = 0;
    for (const auto& [bandwidth, cables] : rates) all += cables.size();
    const auto usual = std::ranges::find_if(
        rates, [&](const auto& rate) { return rate.second.size() * 2 > all && all >= 3; });
    std::vector<std::string> slow;
    for (auto rate = rates.begin(); usual != rates.end() && rate != usual; ++rate)
      for (const Cable* cable : rate->second)
        slow.push_back(fmt::format("{} at {}", cable->what, cable->rate));
    if (!slow.empty())
      log.note(fmt::format("slower than most {}, which have {}: {}", group,
                           usual->second.front()->rate, first_of(slow)),
               NoteKind::answer);
  }
}

std::string first_of(const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 3;
  std::string text =
      fmt::format("{}", fmt::join(std::span(texts).first(std::min(texts.size(), kMost)), ", "));
  if (texts.size() > kMost) text += fmt::format(" and {} more", texts.size() - kMost);
  return text;
}

}  // namespace weft::format::infiniband
