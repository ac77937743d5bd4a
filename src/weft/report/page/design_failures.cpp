#include "weft/report/page/design_failures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "weft/base/text.hpp"
#include "weft/report/design_page.hpp"

namespace weft::report {

using question::Fragility;

namespace {

// Where that may be better.
std::string anew_text(const Fragility& fragility) {
  return fragility.worst_anew ? fmt::format("; made anew past the worst, {:.2f} times as long",
                                            *fragility.worst_anew)
                              : "";
}

// Which are judged, and how.
std::string judged_text(const Fragility& fragility, const char* one, const char* many) {
  const std::string all = counted(fragility.possible, one, many);
  if (fragility.judged < fragility.possible)
    return fmt::format("{} of {}, drawn{}: ", fragility.judged, all,
                       fragility.cut > 0 ? " beside those that cut" : "");
  if (fragility.tried == fragility.possible) return "";
  return fmt::format("all {}, by {} that stand for their kinds: ", all, fragility.tried);
}

}  // namespace

std::string failure_text(const Fragility& fragility, const char* one, const char* many) {
  const std::int64_t served = fragility.judged - fragility.cut;
  std::string text = judged_text(fragility, one, many);
  if (served > 0)
    text += fmt::format("{:.2f} times as long at worst ({}), {:.2f} on average",
                        fragility.worst_slowdown, fragility.worst, fragility.mean_slowdown);
  if (fragility.cut > 0)
    text +=
        fmt::format("{}past {} of {} the calls cannot go on, a node being cut off or a root lost",
                    served > 0 ? "; " : "", fragility.cut, fragility.judged);
  if (served > 0)
    text += fragility.remade == 0        ? "; all schedules are kept" + anew_text(fragility)
            : fragility.remade == served ? "; schedules are made anew, by the same algorithms"
                                         : fmt::format(
                                               "; past {} of {} schedules are made anew, by "
                                               "the same algorithms",
                                               fragility.remade, served);
  return text;
}

std::string fragility_text(const std::optional<Fragility>& fragility) {
  if (!fragility) return "";
  std::string text = fragility->cut == fragility->judged
                         ? std::string("cut")
                         : fmt::format("{:.2f}", fragility->worst_slowdown);
  if (fragility->cut > 0 && fragility->cut < fragility->judged)
    text += fmt::format(" ({} of {} cut)", fragility->cut, fragility->judged);
  constexpr double kSeen = 0.005;  // by two places
  if (fragility->worst_anew && std::abs(*fragility->worst_anew - fragility->worst_slowdown) > kSeen)
    text += fmt::format(", anew {:.2f}", *fragility->worst_anew);
  return text;
}

}  // namespace weft::report
