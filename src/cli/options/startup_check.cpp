#include "cli/options/startup_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using advise::Comparison;
using advise::WinnerRange;

constexpr std::int64_t kCheckedStartup_ps = 1'000'000;

std::vector<std::string> names_of(const Comparison& comparison, const WinnerRange& range) {
  std::vector<std::string> names;
  for (const std::size_t contender : range.contenders)
    names.push_back(comparison.contenders[contender].algorithm);
  return names;
}

// "up to 16KiB", "at 1KiB", "from 2KiB to 16KiB".
std::string sizes_of(const WinnerRange& range, std::int64_t smallest_B) {
  if (range.first_B == smallest_B && range.last_B > smallest_B)
    return "up to " + format_size(range.last_B);
  if (range.first_B == range.last_B) return "at " + format_size(range.first_B);
  return fmt::format("from {} to {}", format_size(range.first_B), format_size(range.last_B));
}

}  // namespace

std::int64_t startup_to_check(const GivenFields& said) {
  return said.of("alpha") ? 0 : kCheckedStartup_ps;
}

std::string startup_advice(const Comparison& comparison, StartupPer per) {
  if (!comparison.startup_check) return "";
  const std::string alpha = format_time(comparison.startup_check->startup_ps);
  if (comparison.startup_check->changes.empty())
    return comparison.startup_check->complete
               ? ""
               : fmt::format(
                     "not checked, because it takes too long: whether other algorithms win with a "
                     "start-up of {} per {}; give your machine's --alpha\n",
                     alpha, name_of(per));
  const std::int64_t smallest_B =
      std::ranges::min_element(comparison.rows, {}, &evaluate::ComparisonRow::size_B)->size_B;
  std::vector<std::string> winners;
  for (const WinnerRange& range : comparison.startup_check->changes)
    winners.push_back(fmt::format("{} {} {}", fmt::join(names_of(comparison, range), " = "),
                                  range.contenders.size() > 1 ? "win" : "wins",
                                  sizes_of(range, smallest_B)));
  return fmt::format(
      "with a start-up of {} per {} (--alpha {}) {}{}; give your machine's --alpha\n", alpha,
      name_of(per), alpha, fmt::join(winners, ", "),
      comparison.startup_check->complete ? "" : ", of the sizes that were checked");
}

answer::Parts<UsedWinnerRange> winner_range_parts() {
  using answer::Unit;
  constexpr answer::PartOf<UsedWinnerRange> part;
  return {part("from", "", Unit::bytes, "smallest of these sizes",
               [](const UsedWinnerRange& used) { return used.range.first_B; }),
          part("to", "", Unit::bytes, "largest of these sizes",
               [](const UsedWinnerRange& used) { return used.range.last_B; }),
          part("algorithms", "", Unit::none, "fastest algorithms",
               [](const UsedWinnerRange& used) { return names_of(used.comparison, used.range); })};
}

std::vector<UsedWinnerRange> used_winner_ranges(const Comparison& comparison,
                                                const std::vector<WinnerRange>& winner_ranges) {
  std::vector<UsedWinnerRange> used;
  for (const WinnerRange& range : winner_ranges) used.push_back({comparison, range});
  return used;
}

answer::Parts<Comparison> startup_check_parts() {
  using answer::Unit;
  constexpr answer::PartOf<Comparison> part;
  return {part("alpha", "", Unit::seconds, "start-up that was tried",
               [](const Comparison& comparison) {
                 return static_cast<double>(comparison.startup_check->startup_ps) *
                        kSecondsPerPicosecond;
               }),
          part.list(
              "winners", "ranges of sizes with other winners",
              [](const Comparison& comparison) {
                return used_winner_ranges(comparison, comparison.startup_check->changes);
              },
              winner_range_parts()),
          part("complete", "", Unit::none, "whether all sizes were checked",
               [](const Comparison& comparison) { return comparison.startup_check->complete; })};
}

}  // namespace weft::cli
