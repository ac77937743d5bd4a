// Checks of what refers to rows and columns: matches, derived columns, charts, claims.
#include <fmt/format.h>

#include <algorithm>

#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/experiment/experiment_checks.hpp"
#include "weft/experiment/matching.hpp"
#include "weft/experiment/parameters.hpp"
#include "weft/experiment/substitution.hpp"

namespace weft::experiment {

namespace {

// Parameters and variables; what a match may name.
std::vector<std::string> input_names(const Experiment& experiment) {
  std::vector<std::string> names = parameter_names(experiment.kind);
  for (const Axis& axis : experiment.axes)
    if (axis.variable) names.push_back(axis.name);
  return names;
}

// Whether some row may have this value, by the axis or the default alone.
bool reachable(const std::vector<Axis>& axes, const std::string& name, const std::string& text) {
  const Axis* axis = find_axis(axes, name);
  if (axis == nullptr) {
    const std::string& fallback = find_parameter(name)->fallback;
    // What follows from the network (link, ranks) is known when rows are made.
    const bool known = !fallback.empty() && name != "ranks" && name != "radix";
    return !known || same_value(name, canonical_value(name, fallback), text);
  }
  return std::ranges::any_of(values_of(*axis, axes), [&](const std::string& value) {
    if (axis->variable) return same_value(name, variable_value(value), text);
    if (name == "algorithm" && lower(value) == "all") return true;
    return same_value(name, canonical_value(name, value), text);
  });
}

// Also writes names without aliases, so that whoever compares texts finds them equal.
void check_match(const Experiment& experiment, Match& match, std::string_view what) {
  const auto names = input_names(experiment);
  for (auto& pair : match.equal) {
    const std::string& name = pair.first;
    std::string& text = pair.second;
    require_at(std::ranges::find(names, name) != names.end(), experiment, match.line,
               "{} names \"{}\", which is no parameter or variable here; {}", what, name,
               suggest(name, names));
    if (find_parameter(name) != nullptr) {
      const Value value =
          located(experiment.path, match.line, [&] { return canonical_value(name, text); });
      if (name != "size") text = to_text(value);
    }
    if (!reachable(experiment.axes, name, text) &&
        !reachable(axes_of(experiment, true), name, text)) {
      const Axis* axis = find_axis(experiment.axes, name);
      const auto values = axis == nullptr ? std::vector{find_parameter(name)->fallback}
                                          : values_of(*axis, experiment.axes);
      require_at(false, experiment, match.line,
                 "no row of the grid has {} = {}, which {} names; {}", name, text, what,
                 suggest(text, values));
    }
  }
}

void check_column(const Experiment& experiment, int line, const std::string& column,
                  const std::vector<std::string>& known, std::string_view what) {
  require_at(std::ranges::find(known, column) != known.end(), experiment, line,
             "{} names \"{}\", which is no column; {}", what, column, suggest(column, known));
}

void check_derived(Experiment& experiment, std::vector<std::string>& columns) {
  const auto inputs = input_names(experiment);
  for (Derived& derived : experiment.derived) {
    check_column(experiment, derived.line, derived.of, columns, "of of [[derive]]");
    const bool taken = std::ranges::find(columns, derived.name) != columns.end() ||
                       std::ranges::find(inputs, derived.name) != inputs.end();
    require_at(!taken, experiment, derived.line,
               "the name \"{}\" of [[derive]] is taken already; choose another", derived.name);
    require_at(!derived.against.equal.empty(), experiment, derived.line,
               "against of [[derive]] is empty; write against = {{ algorithm = \"...\" }}");
    check_match(experiment, derived.against, "against of [[derive]]");
    columns.push_back(derived.name);
  }
}

void check_charts(Experiment& experiment, const std::vector<std::string>& columns) {
  const auto inputs = input_names(experiment);
  std::vector<std::string> both = inputs;
  both.insert(both.end(), columns.begin(), columns.end());
  std::vector<std::string> names;
  for (ChartSpec& chart : experiment.charts) {
    require_at(std::ranges::find(names, chart.name) == names.end(), experiment, chart.line,
               "two charts are called \"{}\"; each needs a name of its own", chart.name);
    require_at(chart.name.find('/') == std::string::npos, experiment, chart.line,
               "\"{}\" is no name for a chart's file (it has a /); choose another", chart.name);
    names.push_back(chart.name);
    check_column(experiment, chart.line, chart.x, both, "x of [[chart]]");
    check_column(experiment, chart.line, chart.y, columns, "y of [[chart]]");
    check_column(experiment, chart.line, chart.series, inputs, "series of [[chart]]");
    if (chart.panel)
      check_column(experiment, chart.line, *chart.panel, inputs, "panel of [[chart]]");
    if (chart.spread)
      check_column(experiment, chart.line, *chart.spread, inputs, "spread of [[chart]]");
    check_match(experiment, chart.where, "where of [[chart]]");
  }
}

void check_claims(Experiment& experiment, const std::vector<std::string>& columns) {
  for (Claim& claim : experiment.claims) {
    require_at(!claim.column.empty(), experiment, claim.line,
               "[[claim]] lacks column; write column = \"{}\"", columns.front());
    check_column(experiment, claim.line, claim.column, columns, "column of [[claim]]");
    check_match(experiment, claim.where, "where of [[claim]]");
    check_match(experiment, claim.than, "than of [[claim]]");
    for (const auto& size : {claim.from, claim.to})
      if (size) located(experiment.path, claim.line, [&] { return parse_size(*size); });
  }
}

}  // namespace

void check_references(Experiment& experiment) {
  const auto measured = measures_of(experiment.kind);
  std::vector<std::string> columns(measured.begin(), measured.end());
  for (Match& exclude : experiment.excludes) {
    require_at(!exclude.equal.empty(), experiment, exclude.line,
               "[[exclude]] is empty; name the parameters of rows to leave out");
    check_match(experiment, exclude, "[[exclude]]");
  }
  check_derived(experiment, columns);
  for (const std::string& name : experiment.measures)
    check_column(experiment, 1, name, columns, "measure of [experiment]");
  check_charts(experiment, columns);
  check_claims(experiment, columns);
}

}  // namespace weft::experiment
