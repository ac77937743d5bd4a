// Joining the grid with a store.
#include "weft/study/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "weft/base/error.hpp"
#include "weft/base/toml_document.hpp"
#include "weft/study/file/matching.hpp"
#include "weft/study/file/substitution.hpp"
#include "weft/study/grid.hpp"

namespace weft::study {

namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> differing_columns(const Experiment& experiment,
                                           const std::vector<ResultRow>& rows) {
  std::vector<std::string> columns;
  for (const Axis& axis : experiment.axes) {
    const bool differs =
        rows.size() < 2 || std::any_of(rows.begin(), rows.end(), [&](const ResultRow& row) {
          return row.get(axis.name) != rows[0].get(axis.name);
        });
    if (differs && !contains(columns, axis.name)) columns.push_back(axis.name);
  }
  return columns;
}

std::vector<Results::Use> uses_of(const Experiment& experiment) {
  std::vector<Results::Use> uses;
  for (const std::vector<Axis>* axes : {&experiment.axes, &experiment.quick, &experiment.full})
    for (const Axis& axis : *axes)
      for (const Axis& variable : experiment.axes)
        for (const std::string& text : axis.values)
          if (variable.variable && contains(variables_in(text), variable.name))
            uses.push_back({axis.name, variable.name});
  return uses;
}

std::vector<std::string> measures_of(const Experiment& experiment,
                                     const std::vector<ResultRow>& rows) {
  std::vector<std::string> measures = experiment.measures;
  if (measures.empty()) {
    std::set<std::string> found;
    for (const ResultRow& row : rows)
      for (const auto& [name, value] : row.results) found.insert(name);
    measures.assign(found.begin(), found.end());
  }
  for (const Derived& derived : experiment.derived)
    if (!contains(measures, derived.name)) measures.push_back(derived.name);
  return measures;
}

Value quotient(Derived::Form form, const Value& own, const Value& reference) {
  const std::optional<double> a = fields::to_number(own), b = fields::to_number(reference);
  if (!a || !b) return {};
  const double above = form == Derived::Form::speedup ? *b : *a;
  const double below = form == Derived::Form::speedup ? *a : *b;
  if (below == 0) return {};
  return above / below;
}

}  // namespace

Value ResultRow::get(std::string_view name) const {
  const Value* value = find_value(*this, name);
  return value == nullptr ? Value{} : *value;
}

namespace {

// The one row that a row is compared with; several would make the value a matter of their order.
const ResultRow* reference_of(const ResultRow& row, const Counterparts& references,
                              const Experiment& experiment, const Derived& derived,
                              const Results& results) {
  const std::vector<const ResultRow*> found = references.find(row);
  if (found.empty()) return nullptr;
  for (const std::string& column : results.parameters) {
    const Value value = found[0]->get(column);
    if (std::all_of(found.begin(), found.end(),
                    [&](const ResultRow* other) { return other->get(column) == value; }))
      continue;
    reject_at(experiment.path, derived.against.line,
              fmt::format("against of '{}' leaves {} open ({} rows fit one); name it: {} = {}",
                          derived.name, column, found.size(), column, show_value(column, value)));
  }
  return found[0];
}

void derive(const Experiment& experiment, const Derived& derived, Results& results) {
  const Counterparts references(results, derived.against);
  for (ResultRow& row : results.rows) {
    const ResultRow* reference = reference_of(row, references, experiment, derived, results);
    if (row.missing || !row.error.empty()) continue;
    row.results[derived.name] = reference == nullptr ? Value{}
                                                     : quotient(derived.form, row.get(derived.of),
                                                                reference->get(derived.of));
  }
}

}  // namespace

Results join_results(const Experiment& experiment, std::vector<Row> rows, const FindRow& find) {
  Results results;
  results.rows.reserve(rows.size());
  for (Row& row : rows) {
    ResultRow joined{.row = std::move(row), .results = {}, .error = {}};
    if (std::optional<StoredRow> stored = find(joined.row.key)) {
      joined.results = std::move(stored->results);
      joined.error = std::move(stored->error);
      joined.wall_s = stored->wall_s;
    } else {
      joined.missing = true;
    }
    results.rows.push_back(std::move(joined));
  }
  WEFT_ASSERT(results.rows.size() == rows.size());
  results.parameters = differing_columns(experiment, results.rows);
  results.uses = uses_of(experiment);
  results.measures = measures_of(experiment, results.rows);
  for (const Derived& derived : experiment.derived) derive(experiment, derived, results);
  return results;
}

Results load_results(const Experiment& experiment, Grid grid, const ResultsStore& store) {
  return join_results(experiment, expand(experiment, grid),
                      [&](const std::string& key) { return store.find(key); });
}

}  // namespace weft::study
