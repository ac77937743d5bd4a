#include "weft/report/page/design_failures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/report/design_page.hpp"

namespace weft::report {

using design::Fragility;

namespace {

// If schedules were unchanged, so that new ones may be faster.
std::string rebuilt_text(const Fragility& fragility) {
  return fragility.worst_anew
             ? fmt::format("; {:.2f} times as long with schedules rebuilt after the worst failure",
                           *fragility.worst_anew)
             : "";
}

// The failures that were tried, if not each one.
std::string judged_text(const Fragility& fragility, const char* one, const char* many) {
  const std::string all = counted(fragility.possible, one, many);
  if (fragility.judged < fragility.possible)
    return fmt::format("{} of {}, chosen at random{}: ", fragility.judged, all,
                       fragility.cut > 0 ? " in addition to failures that disconnect a node" : "");
  if (fragility.tried == fragility.possible) return "";
  return fmt::format("all {}, by {}: ", all,
                     counted(fragility.tried, "representative", "representatives"));
}

}  // namespace

std::string failure_text(const Fragility& fragility, const char* one, const char* many) {
  if (fragility.judged == 0)
    return fmt::format("none of {} was tried for all calls",
                       counted(fragility.possible, one, many));
  const std::int64_t served = fragility.judged - fragility.cut;
  WEFT_ASSERT(served >= 0);
  WEFT_ASSERT(served == 0 ||
              (fragility.worst_slowdown && fragility.worst && fragility.mean_slowdown));
  std::string text = judged_text(fragility, one, many);
  if (served > 0)
    text += fmt::format("{:.2f} times as long at worst ({}), {:.2f} on average",
                        *fragility.worst_slowdown, *fragility.worst, *fragility.mean_slowdown);
  if (fragility.cut > 0)
    text += fmt::format(
        "{}after {} of {} the calls cannot run, because a node is disconnected, a root failed, or "
        "an algorithm does not fit",
        served > 0 ? "; " : "", fragility.cut, fragility.judged);
  if (served > 0)
    text += fragility.remade == 0 ? "; all schedules still work" + rebuilt_text(fragility)
            : fragility.remade == served
                ? "; schedules are rebuilt by the same algorithms"
                : fmt::format("; after {} of {} schedules are rebuilt by the same algorithms",
                              fragility.remade, served);
  return text;
}

std::string fragility_text(const std::optional<Fragility>& fragility) {
  if (!fragility) return "";
  std::string text = fragility->worst_slowdown ? fmt::format("{:.2f}", *fragility->worst_slowdown)
                     : fragility->cut > 0      ? "stops"
                                               : "";
  if (fragility->cut > 0 && fragility->cut < fragility->judged)
    text += fmt::format(" ({} of {} stop)", fragility->cut, fragility->judged);
  WEFT_ASSERT(!fragility->worst_anew || fragility->worst_slowdown);
  constexpr double kSeen = 0.005;  // by two places
  if (fragility->worst_anew &&
      std::abs(*fragility->worst_anew - *fragility->worst_slowdown) > kSeen)
    text += fmt::format(", rebuilt {:.2f}", *fragility->worst_anew);
  return text;
}

}  // namespace weft::report
