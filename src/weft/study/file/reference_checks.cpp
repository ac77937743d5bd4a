// Checks of what refers to rows and columns: matches, derived columns, charts, claims.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/read_number.hpp"
#include "weft/rows/kind.hpp"
#include "weft/study/file/experiment_checks.hpp"
#include "weft/study/file/matching.hpp"
#include "weft/study/file/substitution.hpp"
#include "weft/study/results.hpp"

namespace weft::study {

namespace {

// Parameters and variables; what a match may name.
std::vector<std::string> input_names(const Experiment& experiment) {
  std::vector<std::string> names = experiment.kind->field_names();
  for (const Axis& axis : experiment.axes)
    if (axis.variable) names.push_back(axis.name);
  return names;
}

// Whether some row may have this value, by the axis or the default alone.
bool reachable(const std::vector<Axis>& axes, const std::string& name, const std::string& text) {
  const Axis* axis = find_axis(axes, name);
  if (axis == nullptr) {
    WEFT_ASSERT(rows::find_field(name) != nullptr);  // a variable is an axis
    const std::string fallback(rows::find_field(name)->fallback);
    // What follows from the network (link, ranks) or algorithm is known when rows are made.
    const algorithm::Option* option = algorithm::find_option(name);
    const bool known =
        !fallback.empty() && name != "ranks" && (option == nullptr || !has_fallback(*option));
    return !known || same_value(name, rows::canonical_value(name, fallback), text);
  }
  return std::ranges::any_of(values_of(*axis, axes), [&](const std::string& value) {
    if (axis->variable) return same_value(name, variable_value(value), text);
    if (name == "algorithm" && lower(value) == "all") return true;
    return same_value(name, rows::canonical_value(name, value), text);
  });
}

// A text with braces is one of the grid's.
void check_template(const Experiment& experiment, int line, const std::string& text,
                    std::string_view what) {
  std::vector<std::string> known;
  for (const std::vector<Axis>* axes : {&experiment.axes, &experiment.quick, &experiment.full})
    if (const Axis* axis = find_axis(*axes, "topology"))
      known.insert(known.end(), axis->values.begin(), axis->values.end());
  require_at(std::ranges::find(known, text) != known.end(), experiment, line,
             "{} names the topology '{}', which [grid] does not have; {}", what, text,
             suggest(text, known));
}

// Also writes names without aliases, so that whoever compares texts finds them equal.
void check_match(const Experiment& experiment, Match& match, std::string_view what) {
  const auto names = input_names(experiment);
  for (auto& pair : match.equal) {
    const std::string& name = pair.first;
    std::string& text = pair.second;
    const int line = line_of(match.lines, name, match.line);
    if (std::ranges::find(names, name) == names.end())
      reject_at(experiment.path, line,
                unknown_text({"parameter or variable", name, fmt::format("({})", what)}, names));
    if (name == "topology" && text.find_first_of("{}") != std::string::npos) {
      check_template(experiment, line, text, what);
      continue;
    }
    if (rows::find_field(name) != nullptr) {
      const Value value =
          located(experiment.path, line, [&] { return rows::canonical_value(name, text); });
      if (name != "size") text = fields::to_text(value);
    }
    const auto has = [&](Grid grid) { return reachable(axes_of(experiment, grid), name, text); };
    if (!has(Grid::standard) && !has(Grid::quick) && !has(Grid::full)) {
      const Axis* axis = find_axis(experiment.axes, name);
      auto values = axis == nullptr ? std::vector{std::string(rows::find_field(name)->fallback)}
                                    : values_of(*axis, experiment.axes);
      if (name == "size")
        for (std::string& value : values)
          value = show_value(name, rows::canonical_value(name, value));
      reject_at(experiment.path, line,
                fmt::format("no row of the grid has {} = {}, which {} names; {}", name, text, what,
                            suggest(text, values)));
    }
  }
}

void check_column(const Experiment& experiment, int line, const std::string& column,
                  const std::vector<std::string>& known, std::string_view what) {
  if (std::ranges::find(known, column) == known.end())
    reject_at(experiment.path, line,
              unknown_text({"column", column, fmt::format("({})", what)}, known));
}

void check_derived(Experiment& experiment, std::vector<std::string>& columns) {
  const auto inputs = input_names(experiment);
  for (Derived& derived : experiment.derived) {
    check_column(experiment, line_of(derived.lines, "of", derived.line), derived.of, columns,
                 "key 'of' of [[derive]]");
    const bool taken = std::ranges::find(columns, derived.name) != columns.end() ||
                       std::ranges::find(inputs, derived.name) != inputs.end();
    require_at(!taken, experiment, line_of(derived.lines, "name", derived.line),
               "the name '{}' of [[derive]] is taken already; choose another", derived.name);
    require_at(!derived.against.equal.empty(), experiment, derived.against.line,
               "against of [[derive]] is empty; write against = {{ algorithm = \"...\" }}");
    check_match(experiment, derived.against, "against of [[derive]]");
    columns.push_back(derived.name);
  }
}

void check_charts(Experiment& experiment, const std::vector<std::string>& columns) {
  auto inputs = input_names(experiment);
  inputs.emplace_back("network");
  std::vector<std::string> both = inputs;
  both.insert(both.end(), columns.begin(), columns.end());
  std::vector<std::string> names;
  for (ChartSpec& chart : experiment.charts) {
    const auto line = [&](const char* key) { return line_of(chart.lines, key, chart.line); };
    require_at(std::ranges::find(names, chart.name) == names.end(), experiment, line("name"),
               "two charts are called '{}'; each needs a name of its own", chart.name);
    require_at(chart.name.find('/') == std::string::npos, experiment, line("name"),
               "'{}' is not a name for a chart's file (it has a /); choose another", chart.name);
    names.push_back(chart.name);
    check_column(experiment, line("x"), chart.x, both, "x of [[chart]]");
    check_column(experiment, line("y"), chart.y, columns, "y of [[chart]]");
    check_column(experiment, line("series"), chart.series, both, "series of [[chart]]");
    if (chart.panel)
      check_column(experiment, line("panel"), *chart.panel, inputs, "panel of [[chart]]");
    if (chart.spread)
      check_column(experiment, line("spread"), *chart.spread, inputs, "spread of [[chart]]");
    check_match(experiment, chart.where, "where of [[chart]]");
  }
}

bool is_truth(const Experiment& experiment, std::string_view column) {
  const rows::Measure* measure = experiment.kind->find_measure(column);
  return measure != nullptr && measure->type == rows::Measure::Type::truth;
}

// A number or truth must be one where its column is, or the claim could never be met.
void check_number(const Experiment& experiment, const Claim& claim, const char* key,
                  const std::string& text) {
  const int line = line_of(claim.lines, key, claim.line);
  if (is_truth(experiment, claim.column)) {
    require_at(lower(text) == "true" || lower(text) == "false", experiment, line,
               "{} of [[claim]] is '{}', and {} is true or false; write \"true\" or \"false\"", key,
               text, claim.column);
    return;
  }
  const std::optional<double> number = fields::read_number(text);
  require_at(number && std::isfinite(*number), experiment, line,
             "{} of [[claim]] is '{}' (expected a number such as 2.7e-3 or 15/16, in seconds, "
             "bytes or bytes per second)",
             key, text);
}

// Parameters with their meaning, whatever their order and way of writing.
Values meaning_of(const Match& match) {
  Values values;
  for (const auto& [name, text] : match.equal)
    values[name] = rows::find_field(name) != nullptr && text.find('{') == std::string::npos
                       ? rows::canonical_value(name, text)
                       : variable_value(text);
  return values;
}

void check_order(const Experiment& experiment, Claim& claim) {
  check_match(experiment, claim.than, "than of [[claim]]");
  require_at(meaning_of(claim.where) != meaning_of(claim.than), experiment, claim.than.line,
             "than of [[claim]] is the same as where; name the rows to be compared with");
  const auto check_size = [&](const char* key, const std::optional<std::string>& size) {
    if (size)
      located(experiment.path, line_of(claim.lines, key, claim.line),
              [&] { return parse_size(*size); });
  };
  check_size("from", claim.from);
  check_size("to", claim.to);
}

// Bounds, intervals and means are of numbers.
void check_numbers(const Experiment& experiment, const Claim& claim,
                   const std::vector<std::string>& columns) {
  if (claim.form == Claim::Form::interval)
    check_column(experiment, line_of(claim.lines, "column-to", claim.line), claim.column_to,
                 columns, "column-to of [[claim]]");
  const bool any = claim.form == Claim::Form::value && claim.over == Claim::Over::each;
  require_at(any || !is_truth(experiment, claim.column), experiment,
             line_of(claim.lines, "column", claim.line),
             "{} is true or false, so it has no bounds; write form = \"value\"", claim.column);
  require_at(claim.form != Claim::Form::interval || claim.over == Claim::Over::each, experiment,
             line_of(claim.lines, "over", claim.line),
             "an interval is that of each row; leave over out, or column-to");
  require_at(claim.over != Claim::Over::commonest || claim.form == Claim::Form::value, experiment,
             line_of(claim.lines, "over", claim.line),
             "the commonest values are texts, which have no bounds; write form = \"value\"");
  require_at((!claim.from && !claim.to) || claim.over == Claim::Over::each, experiment,
             line_of(claim.lines, "over", claim.line),
             "over combines all rows of where, whatever their size; name the size there, or "
             "remove over");
}

// Every number of the claim.
void check_wanted(const Experiment& experiment, const Claim& claim) {
  const bool own = claim.kind == Claim::Kind::own;
  if (claim.over == Claim::Over::commonest) {  // of texts
    for (const char* key : {"tolerance", "within", "rival"})
      require_at(!claim.lines.contains(key), experiment, line_of(claim.lines, key, claim.line),
                 "{} of [[claim]] has no effect on texts; leave it out", key);
    require_at(!fields::read_number(claim.wanted), experiment,
               line_of(claim.lines, own ? "expected" : "printed", claim.line),
               "{} of [[claim]] is '{}', but the commonest values are texts; write texts such as "
               "\"ring, torus\"",
               own ? "expected" : "printed", claim.wanted);
    return;
  }
  check_number(experiment, claim, own ? "expected" : "printed", claim.wanted);
  if (claim.rival) check_number(experiment, claim, "rival", *claim.rival);
  for (const std::string& text : claim.ours) check_number(experiment, claim, "ours", text);
  for (const std::string& text : claim.ours_quick)
    check_number(experiment, claim, "ours-quick", text);
  for (const std::string& text : claim.ours_full)
    check_number(experiment, claim, "ours-full", text);
}

void check_claims(Experiment& experiment, const std::vector<std::string>& columns) {
  WEFT_ASSERT(!columns.empty());
  for (Claim& claim : experiment.claims) {
    const int line = line_of(claim.lines, "column", claim.line);
    require_at(!claim.column.empty(), experiment, line,
               "[[claim]] has no column; add column = \"{}\"", columns.front());
    check_column(experiment, line, claim.column, columns, "column of [[claim]]");
    check_match(experiment, claim.where, "where of [[claim]]");
    if (claim.cause) check_match(experiment, *claim.cause, "cause of [[claim]]");
    if (claim.broken)
      for (Match& match : *claim.broken) check_match(experiment, match, "broken of [[claim]]");
    if (claim.form == Claim::Form::below) {
      require_at(claim.over != Claim::Over::commonest, experiment,
                 line_of(claim.lines, "over", claim.line),
                 "the commonest values are texts, which have no order; remove over or than");
      check_order(experiment, claim);
      continue;
    }
    check_numbers(experiment, claim, columns);
    check_wanted(experiment, claim);
  }
}

}  // namespace

void check_references(Experiment& experiment) {
  std::vector<std::string> columns;
  for (const rows::Measure& measure : experiment.kind->measures) columns.emplace_back(measure.name);
  for (Match& exclude : experiment.excludes) {
    require_at(!exclude.equal.empty(), experiment, exclude.line,
               "[[exclude]] is empty; name the parameters of rows to leave out");
    check_match(experiment, exclude, "[[exclude]]");
  }
  for (Pairing& pairing : experiment.pairings)
    for (Match& match : pairing.together) check_match(experiment, match, "[[pairs]]");
  check_derived(experiment, columns);
  for (const std::string& name : experiment.measures)
    check_column(experiment, line_of(experiment.lines, "measure", 1), name, columns,
                 "measure of [experiment]");
  check_charts(experiment, columns);
  check_claims(experiment, columns);
}

}  // namespace weft::study
