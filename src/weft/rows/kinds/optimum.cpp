// Rows of the lowest T_B of any schedule, as weft optimum finds it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/design/bounds/optimum_parts.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/columns.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

constexpr std::string_view kUsual = "usual";

// What is proven within a time depends on the machine, and rows must not.
constexpr double kNoLimit_s = 1e8;

std::string compared_names(std::string_view, std::string_view text) {
  for (const std::string_view word : {design::kNoAlgorithms, kUsual})
    if (lower(text) == word) return std::string(word);
  std::vector<std::string> names = evaluate::algorithms_in(std::string(text));
  for (std::string& name : names)
    if (name != kAll) name = algorithm::find_algorithm(name).name;
  return names.empty() ? std::string(kAll) : fmt::format("{}", fmt::join(names, ","));
}

constexpr auto kCompared = fields::text<compared_names>("compared-algorithms", "none");

bool compares_none(const Values& parameters) {
  return kCompared.in(parameters) == design::kNoAlgorithms;
}

// Those of a schedule, without what an algorithm takes.
std::vector<const Field*> fields() {
  std::vector<const Field*> fields = fields::schedule_fields({.sized = true}, {&kCompared});
  std::erase_if(fields, [](const Field* field) {
    return field->name == "algorithm" || algorithm::find_option(field->name) != nullptr;
  });
  return fields;
}

design::OptimumQuestion asked_in(const Values& parameters) {
  const std::string compared = kCompared.in(parameters);
  return {.size_B = fields::count_in(parameters, "size", 0),
          .algorithms = compared == kUsual ? "" : compared,
          .time_limit_s = kNoLimit_s};
}

std::shared_ptr<const Network> network_for(const Row& row, Workspace& workspace) {
  const std::string contents = contents_of_files(row);
  if (!compares_none(row.parameters)) return network_of(row, contents, workspace);
  Values parameters = row.parameters;
  parameters["routing"] = std::string("shortest");  // any: the optimum holds for all
  auto network = std::make_shared<const Network>(fields::make_network(parameters));
  contents_of_files(row);  // what was read is what the key was made of
  return network;
}

Values answer(const Row& row, Workspace& workspace) {
  const auto network = network_for(row, workspace);
  const Collective collective = fields::make_collective(row.parameters, network->ranks());
  const design::OptimumQuestion asked = asked_in(row.parameters);
  WEFT_ASSERT(asked.size_B > 0);  // see resolve
  const design::OptimumAnswer found = design::answer(asked, collective, *network);
  const design::AnsweredOptimum answered{
      .asked = asked, .found = found, .proof = {found.best, collective, *network}};
  Values values = values_of(answered, design::optimum_parts(), design::optimum_row_columns());
  const auto schedules = schedules_of(answered);
  const auto best = std::ranges::min_element(
      schedules, {}, [](const auto& each) { return each.priced.bandwidth_factor; });
  if (best != schedules.end())
    values.merge(
        values_of(*best, design::compared_schedule_parts(), design::best_schedule_columns()));
  return values;
}

// What holds for all schedules depends on no routing.
void resolve(Row& row, FactsOfNetworks& facts) {
  Values& parameters = row.parameters;
  evaluate::require_known_optimum(
      schedule::parse_collective(fields::text_in(parameters, "collective")));
  require(fields::count_in(parameters, "size", 0) > 0,
          "a call of size 0 moves no data; give a larger size, such as 1MiB");
  if (compares_none(parameters))
    for (const char* name : {"routing", "source-routed"}) parameters.erase(name);
  resolve_collective(row, facts);
}

// Flows around each host; of an allreduce and an all-to-all a linear program; and schedules.
Estimate estimate_of(const Row& row) {
  constexpr double kFlow_s = 2e-6, kProof_s = 2e-4, kSchedules_s = 2e-5, kPair_B = 400;
  const auto ranks = static_cast<double>(fields::count_in(row.parameters, "ranks", 1));
  const auto kind = schedule::parse_collective(fields::text_in(row.parameters, "collective"));
  const double pair_s = (evaluate::is_solved_in_time(kind) ? kProof_s : kFlow_s) +
                        (compares_none(row.parameters) ? 0 : kSchedules_s);
  return {.time_s = kReport_s + ranks * ranks * pair_s,
          .memory_B = kRow_B + ranks * ranks * kPair_B};
}

std::vector<Measure> measures() {
  std::vector<Measure> all = measures_of(design::optimum_parts(), design::optimum_row_columns());
  for (const Measure& measure :
       measures_of(design::compared_schedule_parts(), design::best_schedule_columns()))
    all.push_back(measure);
  return all;
}

}  // namespace

std::vector<ColumnMeaning> optimum_columns() {
  std::vector<ColumnMeaning> all =
      meanings_of(design::optimum_parts(), design::optimum_row_columns());
  for (ColumnMeaning& column :
       meanings_of(design::compared_schedule_parts(), design::best_schedule_columns()))
    all.push_back(std::move(column));
  return all;
}

RowKind optimum_kind() {
  return {.name = "optimum",
          .subject = Subject::topology,
          .fields = fields(),
          .needed = {"collective", "topology"},
          .measures = measures(),
          .chart = {.y = "bandwidth_factor", .series = "collective"},
          .resolve = resolve,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
