#include "weft/advise/library_lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include "weft/base/units.hpp"

namespace weft::advise {

using libraries::LibraryBaseline;
using libraries::LibraryRow;

namespace {

// "han" of "han: node ...". JSON has the parts.
std::string_view short_name(const LibraryRow& row) {
  return std::string_view(row.native).substr(0, row.native.find(':'));
}

/// Places of rows, by size.
std::vector<std::size_t> by_size(const LibraryBaseline& baseline) {
  std::vector<std::size_t> order(baseline.rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return baseline.rows[i].size_B; });
  return order;
}

// "ring up to 4KiB, binomial above".
std::string ranges_of(const LibraryBaseline& baseline, std::span<const std::size_t> order) {
  constexpr std::size_t kMostRanges = 4;
  std::string text;
  std::size_t ranges = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const LibraryRow& row = baseline.rows[order[i]];
    const bool is_last = i + 1 == order.size();
    if (!is_last && short_name(baseline.rows[order[i + 1]]) == short_name(row)) continue;
    if (++ranges > kMostRanges) continue;
    text += fmt::format("{}{}", ranges == 1 ? "" : ", ", short_name(row));
    text += !is_last      ? " up to " + format_size(row.size_B)
            : ranges == 1 ? " at every size"
                          : " above";
  }
  if (ranges > kMostRanges)
    text += fmt::format(" and {} more (--json has all)", ranges - kMostRanges);
  return text;
}

/// The library's time over the best one; 0 where one is not known.
double gain_of(const LibraryRow& row, double best_s) {
  return row.time_s && best_s > 0 ? *row.time_s / best_s : 0;
}

// At the smallest size, the largest, and where most is gained: "; the best here is 1.3 times as
// fast at 8B, 2.4 times at 1MiB; nccl is 1.1 times as fast at 1GiB".
std::string gains_of(const LibraryBaseline& baseline, std::span<const std::size_t> order,
                     std::span<const double> best_s) {
  constexpr double kEqual = 1.05;  // 1.0 times, as it is printed
  const auto gain = [&](std::size_t i) { return gain_of(baseline.rows[i], best_s[i]); };
  std::vector<std::size_t> shown{order.front(), *std::ranges::max_element(order, {}, gain),
                                 order.back()};
  const auto size_of = [&](std::size_t i) { return baseline.rows[i].size_B; };
  std::ranges::stable_sort(shown, {}, size_of);
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  std::string best, library;
  for (const std::size_t i : shown) {
    if (gain(i) == 0 || (gain(i) < kEqual && gain(i) > 1 / kEqual)) continue;
    const bool is_best = gain(i) > 1;
    std::string& text = is_best ? best : library;
    text += fmt::format("{}{:.1f} times{} at {}", text.empty() ? "" : ", ",
                        is_best ? gain(i) : 1 / gain(i), text.empty() ? " as fast" : "",
                        format_size(size_of(i)));
  }
  return (best.empty() ? "" : "; the best here is " + best) +
         (library.empty() ? "" : fmt::format("; {} is {}", baseline.name, library));
}

}  // namespace

std::string library_lesson(const LibraryBaseline& baseline, std::span<const double> best_s) {
  const std::vector<std::size_t> order = by_size(baseline);
  if (order.empty()) return "";
  return baseline.name + " would run " + ranges_of(baseline, order) +
         (baseline.same_costs
              ? gains_of(baseline, order, best_s)
              : "; its times count a kernel launch and no sums, and weft's here are of hosts "
                "without a launch, so they have no ratio; --machine gpus gives both the same "
                "costs");
}

LibraryBaseline library_beside(const libraries::LibraryRules& rules, const Collective& collective,
                               const Network& network, const CompareOptions& options) {
  simulation::SimulationOptions simulation = options.simulation;
  if (options.effort == Effort::winners) simulation.accuracy = kAccuracy;
  return libraries::library_baseline(rules, collective, network, options.sizes_B, simulation);
}

}  // namespace weft::advise
