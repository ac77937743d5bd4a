// What weft compare answers to programs: JSON, CSV and a chart.
#include "cli/compare/comparison_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/advise/library_lesson.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/report/comparison_chart.hpp"

namespace weft::cli {

namespace {

// " at 3 of 17 sizes (1KiB, 1MiB to 2MiB)"; nothing where they are not known one by one.
std::string open_text(const advise::Comparison& comparison) {
  if (!all_in_time(comparison.dropped)) return "";
  std::vector<std::int64_t> sizes_B;
  for (const evaluate::ComparisonRow& row : comparison.rows)
    if (row.contender == 0) sizes_B.push_back(row.size_B);
  std::ranges::sort(sizes_B);
  sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
  std::string ranges;
  for (std::size_t i = 0; i < sizes_B.size(); ++i) {
    if (!comparison.is_open(sizes_B[i])) continue;
    std::size_t last = i;
    while (last + 1 < sizes_B.size() && comparison.is_open(sizes_B[last + 1])) ++last;
    ranges += (ranges.empty() ? "" : ", ") + format_size(sizes_B[i]);
    if (last > i) ranges += " to " + format_size(sizes_B[last]);
    i = last;
  }
  if (ranges.empty()) return "";
  return fmt::format(" at {} of {} ({})", comparison.open_sizes_B.size(),
                     counted(std::ssize(sizes_B), "size"), ranges);
}

}  // namespace

std::string completeness_note(const advise::Comparison& comparison) {
  if (comparison.complete) return "";
  if (comparison.contenders.empty() && !comparison.out_of_time)
    return "nothing was simulated, because every algorithm has too many messages to check one by "
           "one; name one algorithm with -a to simulate it";
  std::int64_t open = 0;
  for (const evaluate::ComparisonRow& row : comparison.rows) open += row.is_bound ? 1 : 0;
  const bool none = open == std::ssize(comparison.rows);
  return fmt::format(
      "{}{}{}; {}",
      comparison.out_of_time   ? "the time limit ended before the winner was known"
      : comparison.out_of_work ? "the work budget ended before the winner was known"
                               : "the bounds of large schedules are too wide to decide the winner",
      open_text(comparison), none ? ", and nothing was simulated" : "",
      comparison.out_of_time
          ? "give a longer --time-limit, fewer --sizes, or fewer algorithms with -a"
          : "--effort full simulates all, which takes longer; fewer --sizes, fewer algorithms (-a) "
            "and --model alpha-beta take less time");
}

std::string library_note(const advise::Comparison& comparison) {
  if (!comparison.library) return "";
  std::vector<double> best_s;
  const auto winners = comparison.winners();
  for (const libraries::LibraryRow& row : comparison.library->rows) {
    const auto best = std::ranges::find(winners, row.size_B, &evaluate::ComparisonRow::size_B);
    best_s.push_back(best == winners.end() ? 0 : (*best)->result.time_s);
  }
  const std::string text = advise::library_lesson(*comparison.library, best_s);
  return text.empty() ? "" : text + '\n';
}

report::Chart chart_of(const ComparisonQuestion& options, const Network& network,
                       const Collective& collective, const advise::Comparison& comparison) {
  report::Chart chart{.title = fmt::format("{} on {}, {} ranks ({}, {})",
                                           collective_name(collective, options.counts.read),
                                           network.topology().name(), collective.ranks,
                                           options.said.text("model"), options.said.text("sync")),
                      .x_label = collective.size_is_block() ? "block size" : "buffer size",
                      .y_label = "time",
                      .x_is_bytes = true,
                      .y_is_seconds = true};
  for (const auto& contender : comparison.contenders)
    chart.series.push_back({contender.algorithm, {}, {}});
  for (const evaluate::ComparisonRow& row : comparison.rows) {
    if (row.is_bound || row.size_B == 0 || row.result.time_s <= 0)
      continue;  // a log scale has no zero
    chart.series[row.contender].x.push_back(static_cast<double>(row.size_B));
    chart.series[row.contender].y.push_back(row.result.time_s);
  }
  for (report::Series& marks : report::marks_of(comparison, collective, network))
    chart.series.push_back(std::move(marks));
  std::erase_if(chart.series, [](const report::Series& series) { return series.x.empty(); });
  return chart;
}

}  // namespace weft::cli
