// Rows of the schedule that a plan runs at a size, as weft plan chooses it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "weft/advise/plan/plan_choice.hpp"
#include "weft/advise/plan/plan_parts.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/columns.hpp"
#include "weft/rows/kinds/contest_fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/kinds/unequal_rows.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

// In increasing order, each once.
std::vector<std::int64_t> read_sizes(std::string_view, std::string_view text) {
  std::vector<std::int64_t> sizes_B = parse_sizes(text);
  std::ranges::sort(sizes_B);
  sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
  require(!sizes_B.empty() && sizes_B.front() > 0,
          "a plan needs sizes above 0, such as 64B:64MiB, not '{}'", text);
  return sizes_B;
}
Value show_sizes(const std::vector<std::int64_t>& sizes_B) {
  return fmt::format("{}", fmt::join(sizes_B, ","));
}

constexpr auto kSizes = fields::field<read_sizes, show_sizes>("sizes", "64B:64MiB");
constexpr auto kDifferentBits = fields::truth("allow-different-bits");

// What a plan is asked beside its network. No rank is named: rooted collectives are of root 0.
advise::PlanOptions options_of(const Values& parameters, std::int32_t ranks) {
  const std::int64_t size_B = fields::count_in(parameters, "size", 0);
  const auto names = advise::planned_names(fields::text_in(parameters, "collective"));
  std::vector<advise::UnequalCalls> unequal;
  for (const CollectiveKind kind : names.unequal)
    unequal.push_back({kind, counts_in(parameters, ranks).value(), {size_B}});
  return {.collectives = names.equal,
          .unequal = std::move(unequal),
          .sizes_B = kSizes.in(parameters),
          .algorithms = contest_algorithms(parameters),
          .simulation = fields::simulation_options_in(parameters),
          .timed_B = size_B > 0 ? std::optional(size_B) : std::nullopt,
          .allows_different_bits = kDifferentBits.in(parameters)};
}

Values answer(const Row& row, Workspace& workspace) {
  const auto network = network_of(row, contents_of_files(row), workspace);
  const plan::Plan plan =
      advise::choose_plan(*network, options_of(row.parameters, network->ranks())).plan;
  const std::int64_t size_B = fields::count_in(row.parameters, "size", 0);
  const auto range = std::ranges::find_if(plan.ranges, [&](const plan::PlannedRange& each) {
    return each.first_B <= size_B && size_B <= each.last_B;
  });
  WEFT_ASSERT(range != plan.ranges.end());  // the first begins at 0, and the last has no end
  return values_of(advise::AnsweredRange{plan, *range}, advise::range_row_parts(),
                   advise::range_row_columns());
}

void resolve(Row& row, FactsOfNetworks& facts) {
  advise::planned_names(fields::text_in(row.parameters, "collective"));  // refuses some
  resolve_with_counts(row, facts, resolve_contest);
  // Calls with counts have the row's size alone.
  if (row.parameters.contains("counts")) row.parameters.erase("sizes");
}

// A contest at each size.
Estimate estimate_of(const Row& row) {
  Estimate estimate = estimate_contest(row);
  if (!row.parameters.contains("counts"))
    estimate.time_s *= static_cast<double>(kSizes.in(row.parameters).size());
  return estimate;
}

// Rows of plans take no options of algorithms.
std::vector<const Field*> fields() {
  std::vector<const Field*> fields =
      with_counts(contest_fields({&kSizes, &kDifferentBits}, fields::Ends::none));
  std::erase_if(fields,
                [](const Field* field) { return algorithm::find_option(field->name) != nullptr; });
  return fields;
}

}  // namespace

std::vector<ColumnMeaning> plan_columns() {
  return meanings_of(advise::range_row_parts(), advise::range_row_columns());
}

RowKind plan_kind() {
  return {.name = "plan",
          .subject = Subject::topology,
          .fields = fields(),
          .needed = {"collective", "topology"},
          .measures = measures_of(advise::range_row_parts(), advise::range_row_columns()),
          .chart = {.x = "size", .y = "range_count"},
          .adapt_machine = leave_size_to_counts,
          .resolve = resolve,
          .contents = contents_with_counts,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
