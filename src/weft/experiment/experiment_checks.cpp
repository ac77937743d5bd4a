#include "weft/experiment/experiment_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/experiment/document.hpp"
#include "weft/experiment/matching.hpp"
#include "weft/experiment/parameters.hpp"
#include "weft/experiment/substitution.hpp"

namespace weft::experiment {

namespace {

template <class... Args>
void require_at(bool condition, const Experiment& experiment, int line,
                fmt::format_string<Args...> format, Args&&... args) {
  if (!condition)
    reject_at(experiment.path, line, fmt::format(format, std::forward<Args>(args)...));
}

// What `body` throws, told with its place.
template <class Body>
auto located(const Experiment& experiment, int line, Body body) {
  try {
    return body();
  } catch (const InvalidInput& error) {
    reject_at(experiment.path, line, error.what());
  }
}

const Axis* find_axis(const std::vector<Axis>& axes, std::string_view name) {
  const auto found = std::ranges::find(axes, name, &Axis::name);
  return found == axes.end() ? nullptr : &*found;
}

// ---- axes -------------------------------------------------------------------------------------

void check_name(const Experiment& experiment, const Axis& axis) {
  const auto known = parameter_names(experiment.kind);
  const Parameter* parameter = find_parameter(axis.name);
  if (axis.variable) {
    require_at(parameter == nullptr, experiment, axis.line,
               "variable \"{}\" has the name of a parameter; choose another", axis.name);
    require_at(axis.name.find_first_of("{}* ") == std::string::npos && !axis.name.empty(),
               experiment, axis.line, "\"{}\" is no name of a variable; use letters and digits",
               axis.name);
    return;
  }
  require_at(parameter != nullptr, experiment, axis.line, "unknown parameter \"{}\" of [grid]; {}",
             axis.name, suggest(axis.name, known));
  require_at(belongs_to(*parameter, experiment.kind), experiment, axis.line,
             "{} has no influence on experiments of kind {}; its parameters are {}", axis.name,
             name_of(experiment.kind), fmt::format("{}", fmt::join(known, ", ")));
}

void check_values(const Experiment& experiment, const Axis& axis, const std::vector<Axis>& axes) {
  located(experiment, axis.line, [&] {
    for (const std::string& value : values_of(axis, axes))
      if (!axis.variable) canonical_value(axis.name, value);
  });
  for (const std::string& value : axis.values)
    require_at(!axis.variable || variables_in(value).empty(), experiment, axis.line,
               "variable \"{}\" is made of another; write its values out", axis.name);
}

void check_variables_are_used(const Experiment& experiment) {
  std::vector<std::string> used;
  for (const Axis& axis : experiment.axes)
    if (!axis.variable)
      for (const std::string& value : axis.values)
        for (std::string& name : variables_in(value)) used.push_back(std::move(name));
  for (const Axis& axis : experiment.axes)
    require_at(!axis.variable || std::ranges::find(used, axis.name) != used.end(), experiment,
               axis.line, "variable \"{}\" is used nowhere; write {{{}}} in a text of [grid]",
               axis.name, axis.name);
}

// Each named algorithm serves one of the collectives at least.
void check_algorithms(const Experiment& experiment, const std::vector<Axis>& axes) {
  const Axis &algorithms = *find_axis(axes, "algorithm"),
             &collectives = *find_axis(axes, "collective");
  const auto kinds = values_of(collectives, axes);
  for (const std::string& name : values_of(algorithms, axes)) {
    if (lower(name) == "all") continue;
    const auto& algorithm = algorithm::find_algorithm(name);
    const bool serves = std::ranges::any_of(kinds, [&](const std::string& kind) {
      return algorithm.supports(schedule::parse_collective(kind));
    });
    std::string served;
    for (const auto kind : algorithm.collectives)
      served += fmt::format("{}{}", served.empty() ? "" : ", ", schedule::name_of(kind));
    require_at(serves, experiment, algorithms.line,
               "{} serves no collective of the grid; it serves {}", algorithm.name, served);
  }
}

void check_axes(Experiment& experiment) {
  require_at(!experiment.axes.empty(), experiment, 1, "[grid] is missing; name what varies in it");
  for (const Axis& axis : experiment.axes) check_name(experiment, axis);
  for (Axis& axis : experiment.quick) {
    const Axis* full = find_axis(experiment.axes, axis.name);
    if (full == nullptr) {
      std::vector<std::string> known;
      for (const Axis& candidate : experiment.axes) known.push_back(candidate.name);
      require_at(false, experiment, axis.line, "[quick] replaces \"{}\", which is not there; {}",
                 axis.name, suggest(axis.name, known));
    }
    axis.variable = full->variable;
  }
  for (const bool quick : {false, true}) {
    const auto axes = axes_of(experiment, quick);
    for (const Axis& axis : axes) check_values(experiment, axis, axes);
  }
  check_variables_are_used(experiment);
  std::vector<std::string> needed{"topology"};
  if (experiment.kind != RowKind::topology) needed = {"collective", "topology", "algorithm"};
  for (const std::string& name : needed)
    require_at(find_axis(experiment.axes, name) != nullptr, experiment,
               experiment.axes.front().line, "[grid] lacks {}; write {} = \"...\"", name, name);
  if (experiment.kind == RowKind::topology) return;
  for (const bool quick : {false, true}) check_algorithms(experiment, axes_of(experiment, quick));
}

// ---- references -------------------------------------------------------------------------------

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
  for (auto& [name, text] : match.equal) {
    require_at(std::ranges::find(names, name) != names.end(), experiment, match.line,
               "{} names \"{}\", which is no parameter or variable here; {}", what, name,
               suggest(name, names));
    if (find_parameter(name) != nullptr) {
      const Value value =
          located(experiment, match.line, [&] { return canonical_value(name, text); });
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

// ---- tables -----------------------------------------------------------------------------------

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
      if (size) located(experiment, claim.line, [&] { return parse_size(*size); });
  }
}

}  // namespace

std::vector<Axis> axes_of(const Experiment& experiment, bool quick) {
  std::vector<Axis> axes = experiment.axes;
  if (quick)
    for (Axis& axis : axes)
      if (const Axis* other = find_axis(experiment.quick, axis.name)) axis = *other;
  return axes;
}

std::vector<std::string> values_of(const Axis& axis, const std::vector<Axis>& axes) {
  if (axis.variable) return axis.values;
  std::vector<std::string> values;
  for (const std::string& text : axis.values)
    for (std::string& value : all_substitutions(text, axes)) {
      if (axis.name == "size")
        for (const std::int64_t size_B : parse_sizes(value))
          values.push_back(fmt::format("{}", size_B));
      else
        values.push_back(std::move(value));
    }
  return values;
}

void check_experiment(Experiment& experiment) {
  check_axes(experiment);
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
