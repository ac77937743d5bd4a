// Joining the grid with a store, and finding in it the row that another is compared with.
#include "weft/experiment/results.hpp"

#include <algorithm>
#include <set>

#include "weft/experiment/matching.hpp"
#include "weft/experiment/substitution.hpp"

namespace weft::experiment {

namespace {

bool is_nothing(const Value& value) {
  return std::holds_alternative<std::monostate>(value);
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool names(const Match& match, std::string_view name) {
  return std::any_of(match.equal.begin(), match.equal.end(),
                     [&](const auto& pair) { return pair.first == name; });
}

// Whether the column changes when what the match names does.
bool depends_on(const Results& results, const std::string& column, const Match& match) {
  if (names(match, column)) return true;
  return std::any_of(results.uses.begin(), results.uses.end(), [&](const Results::Use& use) {
    return (use.axis == column && names(match, use.variable)) ||
           (use.variable == column && names(match, use.axis));
  });
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
  for (const std::vector<Axis>* axes : {&experiment.axes, &experiment.quick})
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
  const std::optional<double> a = to_number(own), b = to_number(reference);
  if (!a || !b) return {};
  const double above = form == Derived::Form::speedup ? *b : *a;
  const double below = form == Derived::Form::speedup ? *a : *b;
  if (below == 0) return {};
  return above / below;
}

}  // namespace

Value ResultRow::get(std::string_view name) const {
  for (const Values* values : {&row.parameters, &row.variables, &results})
    if (const auto found = values->find(name); found != values->end()) return found->second;
  return {};
}

bool matches(const ResultRow& row, const Match& match) {
  return std::all_of(match.equal.begin(), match.equal.end(), [&](const auto& pair) {
    const Value value = row.get(pair.first);
    return !is_nothing(value) && same_value(pair.first, value, pair.second);
  });
}

Counterparts::Counterparts(const Results& results, const Match& against) {
  for (const ResultRow& row : results.rows)
    if (matches(row, against)) candidates_.push_back(&row);
  // A column that no candidate has (a radix, which only some algorithms take) tells none apart.
  for (const std::string& column : results.parameters)
    if (!depends_on(results, column, against) &&
        std::any_of(candidates_.begin(), candidates_.end(),
                    [&](const ResultRow* row) { return !is_nothing(row->get(column)); }))
      columns_.push_back(column);
  for (const ResultRow* row : candidates_) by_key_.emplace(key_of(*row), row);
}

std::string Counterparts::key_of(const ResultRow& row) const {
  std::string key;
  for (const std::string& column : columns_) key += to_text(row.get(column)) + '\n';
  return key;
}

const ResultRow* Counterparts::find(const ResultRow& row) const {
  if (const auto found = by_key_.find(key_of(row)); found != by_key_.end()) return found->second;
  const auto fits = [&](const ResultRow* other) {
    return std::all_of(columns_.begin(), columns_.end(), [&](const std::string& column) {
      const Value own = row.get(column), its = other->get(column);
      return own == its || is_nothing(own) || is_nothing(its);
    });
  };
  const auto found = std::find_if(candidates_.begin(), candidates_.end(), fits);
  return found == candidates_.end() ? nullptr : *found;
}

namespace {

void derive(const Derived& derived, Results& results) {
  const Counterparts references(results, derived.against);
  for (ResultRow& row : results.rows) {
    if (row.missing || !row.error.empty()) continue;
    const ResultRow* reference = references.find(row);
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
  results.parameters = differing_columns(experiment, results.rows);
  results.uses = uses_of(experiment);
  results.measures = measures_of(experiment, results.rows);
  for (const Derived& derived : experiment.derived) derive(derived, results);
  return results;
}

Results load_results(const Experiment& experiment, Grid grid, const ResultsStore& store) {
  return join_results(experiment, expand(experiment, grid),
                      [&](const std::string& key) { return store.find(key); });
}

}  // namespace weft::experiment
