#include "weft/report/verdict.hpp"
#include "weft/base/text.hpp"

#include <fmt/format.h>

#include <numeric>

namespace weft::report {

std::string_view name_of(ClaimMark mark) {
  constexpr std::string_view kNames[] = {"met", "loosely", "explained", "open", "missing"};
  return kNames[static_cast<std::size_t>(mark)];
}

std::string_view sign_of(ClaimMark mark) {
  constexpr std::string_view kSigns[] = {"✓", "≈", "≠", "✗", "–"};
  return kSigns[static_cast<std::size_t>(mark)];
}

std::string_view words_of(ClaimMark mark) {
  constexpr std::string_view kWords[] = {"met", "met loosely", "explained", "open",
                                         "not in this grid"};
  return kWords[static_cast<std::size_t>(mark)];
}

void Tally::add(const Claim& claim, const Verdict& verdict) {
  auto& counts = claim.kind == Claim::Kind::own ? own_ : printed_;
  ++counts[static_cast<std::size_t>(verdict.mark)];
  failing_ += verdict.fails ? 1 : 0;
}

std::size_t Tally::printed() const {
  return std::accumulate(printed_.begin(), printed_.end(), std::size_t{0});
}

std::size_t Tally::own() const {
  return std::accumulate(own_.begin(), own_.end(), std::size_t{0});
}

std::string text_of(const Tally& tally) {
  std::string text;
  const auto add = [&](std::size_t count, ClaimMark mark, const char* before) {
    text += fmt::format("{}{} {} {}", before, count, sign_of(mark), words_of(mark));
  };
  if (tally.printed() > 0 || tally.own() == 0)
    text = counted(static_cast<std::int64_t>(tally.printed()), "claim");
  for (const ClaimMark mark : kClaimMarks)  // the four always, so that their names are learnt
    if (tally.printed() > 0 && (mark != ClaimMark::missing || tally.printed(mark) > 0))
      add(tally.printed(mark), mark, mark == ClaimMark::met ? ": " : ", ");
  if (tally.own() > 0)
    text += fmt::format("{}{} of our own", text.empty() ? "" : "; ", tally.own());
  const char* before = ": ";
  for (const ClaimMark mark : kClaimMarks) {
    if (tally.own(mark) == 0) continue;
    add(tally.own(mark), mark, before);
    before = ", ";
  }
  if (tally.failing() > 0)
    text += fmt::format("; {} fail{}", tally.failing(), tally.failing() == 1 ? "s" : "");
  return text;
}

}  // namespace weft::report
