// Rows of a collective past failures of cables and nodes, as weft degrade tries them.
#include <algorithm>
#include <array>

#include "weft/advise/degradation_parts.hpp"
#include "weft/base/error.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/columns.hpp"
#include "weft/rows/kinds/contest_fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

/// A field of the command, under a name that no other kind has.
struct FailureField {
  Field field;
  void (*set)(advise::FailureOptions& target, std::string_view text);
};

// Kinds with models and kind find have other fields `cables` and `nodes`.
std::span<const FailureField> failure_fields() {
  static const std::vector<FailureField> fields = [] {
    std::vector<FailureField> made;
    for (const auto& [field, set] : advise::failure_members()) {
      made.push_back({*field, set});
      Field& own = made.back().field;
      if (own.name == "cables") {
        own.name = "failing-cables";
        own.help =
            "Cables that fail: all (one after another), a number of random ones, or none [all, or "
            "as many as take a few seconds; none with failing-nodes]";
      } else if (own.name == "nodes") {
        own.name = "failing-nodes";
      }
    }
    return made;
  }();
  return fields;
}

advise::FailureOptions failures_in(const Values& parameters) {
  advise::FailureOptions asked;
  for (const FailureField& each : failure_fields())
    if (const auto found = parameters.find(each.field.name); found != parameters.end())
      each.set(asked, fields::to_text(found->second));
  return asked;
}

Values answer(const Row& row, Workspace& workspace) {
  const Values& parameters = row.parameters;
  const auto network = network_of(row, contents_of_files(row), workspace);
  WEFT_ASSERT(fields::count_in(parameters, "size", 0) > 0);  // see resolve
  const advise::Degradation found =
      advise::degrade(fields::make_collective(parameters, network->ranks()), *network,
                      {.algorithms = contest_algorithms(parameters),
                       .size_B = fields::count_in(parameters, "size", 0),
                       .failures = failures_in(parameters),
                       .seed = fields::seed_in(parameters),
                       .algorithm = fields::algorithm_options_in(parameters),
                       .simulation = fields::simulation_options_in(parameters)});
  Values values = values_of(advise::AnsweredEndurance{found, found.best}, advise::endurance_parts(),
                            advise::endurance_row_columns());
  values.merge(values_of(found, advise::trial_parts(), advise::trial_row_columns()));
  return values;
}

bool are_drawn(const advise::Trials& trials) {
  return trials.kind == advise::Trials::Kind::some ||
         trials.kind == advise::Trials::Kind::automatic;
}

void resolve(Row& row, FactsOfNetworks& facts) {
  Values& parameters = row.parameters;
  require(fields::count_in(parameters, "size", 0) > 0,
          "a call of size 0 moves no data; give a larger size, such as 1MiB");
  const Value seed = parameters["seed"];
  resolve_contest(row, facts);
  const advise::FailureOptions asked = failures_in(parameters);
  if (are_drawn(asked.cables) || asked.nodes.kind == advise::Trials::Kind::some)
    parameters["seed"] = seed;
}

// What is left to the command takes a few seconds; else a contest for each failure.
Estimate estimate_of(const Row& row) {
  constexpr double kUsual_s = 4, kCablesOfNode = 3;
  Estimate estimate = estimate_contest(row);
  const advise::FailureOptions asked = failures_in(row.parameters);
  const auto trials = [&](const advise::Trials& each, double all) {
    if (each.kind == advise::Trials::Kind::all) return all;
    return static_cast<double>(each.count);
  };
  const auto nodes = static_cast<double>(row.nodes);
  const double tried = trials(asked.cables, kCablesOfNode * nodes) + trials(asked.nodes, nodes);
  WEFT_ASSERT(tried >= 0);
  estimate.time_s *= 1 + tried;
  if (tried == 0) estimate.time_s += std::min(kUsual_s, estimate.time_s * kCablesOfNode * nodes);
  return estimate;
}

std::vector<const Field*> own_fields() {
  std::vector<const Field*> own;
  for (const FailureField& each : failure_fields()) own.push_back(&each.field);
  return own;
}

std::vector<Measure> measures() {
  auto all = measures_of(advise::endurance_parts(), advise::endurance_row_columns());
  for (const Measure& measure : measures_of(advise::trial_parts(), advise::trial_row_columns()))
    all.push_back(measure);
  return all;
}

}  // namespace

std::vector<ColumnMeaning> degrade_columns() {
  auto all = meanings_of(advise::endurance_parts(), advise::endurance_row_columns());
  for (ColumnMeaning& column : meanings_of(advise::trial_parts(), advise::trial_row_columns()))
    all.push_back(std::move(column));
  return all;
}

RowKind degrade_kind() {
  return {.name = "degrade",
          .subject = Subject::topology,
          .fields = contest_fields(own_fields()),
          .needed = {"collective", "topology"},
          .measures = measures(),
          .chart = {.y = "worst_slowdown", .series = "algorithms"},
          .resolve = resolve,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
