// The tables of parts of what weft compare answers of each size.
#include "weft/advise/comparison_parts.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "weft/answer/keys.hpp"
#include "weft/simulation/measured_numbers.hpp"

namespace weft::advise {

using answer::Column;
using answer::PartOf;
using answer::Parts;
using answer::Unit;
using evaluate::ComparisonRow;

std::vector<ComparedRow> rows_of(const Comparison& comparison) {
  std::vector<ComparedRow> compared;
  for (const ComparisonRow& row : comparison.rows) compared.push_back({comparison, row});
  return compared;
}

namespace {

// Numbers of rows that were timed, behind those that have a place of their own.
Parts<ComparedRow> further_row_parts() {
  constexpr PartOf<ComparedRow> part;
  Parts<ComparedRow> parts = part.within(
      [](const ComparedRow& compared) -> const simulation::SimulationResult& {
        return compared.row.result;
      },
      simulation::further_numbers());
  for (answer::Part<ComparedRow>& each : parts) {
    auto timed = [present = each.present](const ComparedRow& compared) {
      return !compared.row.is_bound && (!present || present(compared));
    };
    each = std::move(each).when(std::move(timed));
  }
  return parts;
}

}  // namespace

Parts<ComparedRow> compared_row_parts() {
  constexpr PartOf<ComparedRow> part;
  const auto of_row = [](auto member) {
    return [member](const ComparedRow& compared) { return compared.row.*member; };
  };
  const auto of_result = [](auto member) {
    return [member](const ComparedRow& compared) { return compared.row.result.*member; };
  };
  const auto is_timed = [](const ComparedRow& compared) { return !compared.row.is_bound; };
  using simulation::SimulationResult;
  return join(
      {part(keys::kAlgorithm,
            [](const ComparedRow& compared) {
              return compared.comparison.contenders[compared.row.contender].algorithm;
            }),
       part(keys::kSize, of_row(&ComparisonRow::size_B)),
       part("time", "", Unit::seconds, "time of a call; null if only a bound is known",
            [](const ComparedRow& compared) {
              return compared.row.is_bound ? std::nullopt
                                           : std::optional(compared.row.result.time_s);
            }),
       part("bound", "", Unit::seconds, "lower bound on the time of this schedule",
            [](const ComparedRow& compared) { return compared.row.result.lower_s(); })
           .when([](const ComparedRow& compared) {
             return compared.row.is_bound || compared.row.result.least_s > 0;
           }),
       part(keys::kBusBandwidth, of_result(&SimulationResult::bus_bandwidth_Bps)).when(is_timed),
       part(keys::kAlgorithmBandwidth, of_result(&SimulationResult::algorithm_bandwidth_Bps))
           .when(is_timed),
       part(keys::kSchedule, of_row(&ComparisonRow::schedule)),
       part(keys::kSegments, of_row(&ComparisonRow::segments)),
       part(keys::kSteps, of_row(&ComparisonRow::steps)),
       part(keys::kMessages, of_result(&SimulationResult::messages)).when(is_timed)},
      join(further_row_parts(), {part("best", "", Unit::none, "whether it wins at this size",
                                      of_row(&ComparisonRow::best))}));
}

namespace {

// The parts of these names, in this order.
Parts<ComparedRow> row_parts_of(std::initializer_list<std::string_view> names) {
  const Parts<ComparedRow> all = compared_row_parts();
  Parts<ComparedRow> chosen;
  for (const std::string_view name : names) chosen.push_back(answer::part_of(all, name));
  return chosen;
}

// A value of the library's choice; null where it has none.
template <class Get>
auto of_library(Get get) {
  return [get](const FastestAtSize& fastest) { return std::invoke(get, *fastest.library); };
}

bool has_library(const FastestAtSize& fastest) {
  return fastest.library != nullptr;
}

std::optional<double> ratio(std::optional<double> time_s, double to_s) {
  return time_s && to_s > 0 ? std::optional(*time_s / to_s) : std::nullopt;
}

std::optional<double> best_s(const FastestAtSize& fastest) {
  return fastest.best != nullptr ? std::optional(fastest.best->result.time_s) : std::nullopt;
}

std::optional<std::string> runner_up_of(const FastestAtSize& fastest) {
  if (fastest.runner_up == nullptr) return std::nullopt;
  return fastest.of.contenders[fastest.runner_up->contender].algorithm;
}

Parts<FastestAtSize> library_parts() {
  using libraries::LibraryRow;
  constexpr PartOf<FastestAtSize> part;
  Parts<FastestAtSize> parts{
      part("library_algorithm", "", Unit::none,
           "what the library runs by default, in its own words", of_library(&LibraryRow::native)),
      part("library_time", "", Unit::seconds,
           "time of the library's algorithm; null if weft cannot time it",
           of_library(&LibraryRow::time_s)),
      part("over_library", "", Unit::none,
           "library_time over time; null if the two count different costs",
           [](const FastestAtSize& fastest) -> std::optional<double> {
             if (!fastest.of.library->same_costs) return std::nullopt;
             return ratio(fastest.library->time_s, best_s(fastest).value_or(0));
           })};
  for (answer::Part<FastestAtSize>& each : parts) each = std::move(each).when(has_library);
  return parts;
}

}  // namespace

double FastestAtSize::least_s() const {
  const LowerBounds& bounds =
      best != nullptr ? of.bounds_of(of.contenders[best->contender]) : of.bounds;
  return of.least_time_s(bounds, collective, network, size_B);
}

bool FastestAtSize::is_known() const {
  return of.complete || (best != nullptr && !of.is_open(size_B) && all_in_time(of.dropped));
}

std::vector<FastestAtSize> fastest_at_sizes(const Comparison& comparison,
                                            const Collective& collective, const Network& network,
                                            std::vector<std::int64_t> sizes_B) {
  std::ranges::sort(sizes_B);
  sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
  std::vector<FastestAtSize> all;
  for (const std::int64_t size_B : sizes_B) {
    FastestAtSize& fastest = all.emplace_back(FastestAtSize{
        .of = comparison, .collective = collective, .network = network, .size_B = size_B});
    for (const ComparisonRow& row : comparison.rows)
      if (row.size_B == size_B && row.best && fastest.best == nullptr) fastest.best = &row;
    for (const ComparisonRow& row : comparison.rows) {
      if (row.size_B != size_B || row.is_bound || fastest.best == nullptr ||
          row.contender == fastest.best->contender)
        continue;
      if (fastest.runner_up == nullptr || row.result.time_s < fastest.runner_up->result.time_s)
        fastest.runner_up = &row;
    }
    if (!comparison.library) continue;
    const auto& rows = comparison.library->rows;
    const auto found = std::ranges::find(rows, size_B, &libraries::LibraryRow::size_B);
    if (found != rows.end()) fastest.library = &*found;
  }
  return all;
}

Parts<FastestAtSize> fastest_parts() {
  constexpr PartOf<FastestAtSize> part;
  const auto best = [](const FastestAtSize& fastest) {
    return fastest.best != nullptr ? std::optional(ComparedRow{fastest.of, *fastest.best})
                                   : std::nullopt;
  };
  return join(
      join({part(keys::kSize, &FastestAtSize::size_B)},
           part.within(best,
                       join(row_parts_of({"algorithm", "schedule", "segments", "steps", "messages",
                                          "time", "algorithm_bandwidth", "bus_bandwidth"}),
                            further_row_parts()))),
      join({part("least_time", "", Unit::seconds,
                 "lower bound on the time of schedules that combine where this one does",
                 &FastestAtSize::least_s),
            part("over_least", "", Unit::none, "time over least_time, or null",
                 [](const FastestAtSize& fastest) {
                   return ratio(best_s(fastest), fastest.least_s());
                 }),
            part("runner_up", "", Unit::none,
                 "second fastest algorithm of those simulated, or null", runner_up_of),
            part("runner_up_time", "", Unit::seconds, "time of the runner-up, or null",
                 [](const FastestAtSize& fastest) {
                   return fastest.runner_up != nullptr
                              ? std::optional(fastest.runner_up->result.time_s)
                              : std::nullopt;
                 })},
           join(library_parts(), {part("complete", "", Unit::none,
                                       "whether no algorithm that was left out can be faster",
                                       &FastestAtSize::is_known)})));
}

std::vector<Column> comparison_row_columns() {
  std::vector<Column> columns{{"algorithm", "best"},
                              {"schedule"},
                              {"segments", "segments_used"},
                              {"steps"},
                              {"messages"},
                              {"time"},
                              {"algorithm_bandwidth"},
                              {"bus_bandwidth"},
                              {"least_time"},
                              {"over_least"},
                              {"runner_up"},
                              {"runner_up_time"},
                              {"library_algorithm"},
                              {"library_time"},
                              {"over_library"},
                              {"complete"}};
  for (const auto& number : simulation::further_numbers()) columns.push_back({number.text.key});
  return columns;
}

}  // namespace weft::advise
