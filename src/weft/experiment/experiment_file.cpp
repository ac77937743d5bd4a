// Reading an experiment: the tables of the file into their structs. What they mean is checked in
// axis_checks.cpp and reference_checks.cpp.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <map>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/experiment/experiment_checks.hpp"
#include "weft/experiment/parameters.hpp"
#include "weft/experiment/table_reader.hpp"

namespace weft::experiment {

namespace {

std::string scalar_text(const TableReader& table, const std::string& name, const Node& node) {
  if (!node.scalar())
    table.fail(node.line, "{} is {}; write a text or a number", name, node.kind_name());
  return node.text;
}

// `link` may be a list of lists: each the values of several --link, kept with ';' between them.
std::string value_text(const TableReader& table, const std::string& name, const Node& node) {
  if (name != "link" || node.kind != Node::Kind::list) return scalar_text(table, name, node);
  std::string text;
  for (const Node& item : node.items)
    text += (text.empty() ? "" : ";") + scalar_text(table, name, item);
  return text;
}

std::vector<Axis> read_axes(const Node* node, const std::string& path, bool variables) {
  std::vector<Axis> axes;
  if (node == nullptr) return axes;
  const TableReader table(*node, variables ? "[variables]" : "[grid]", path);
  for (const auto& [name, value] : node->members) {
    Axis axis{.name = name, .values = {}, .variable = variables, .line = value.line};
    if (value.kind == Node::Kind::list) {
      if (value.items.empty()) table.fail(value.line, "{} has no value; give at least one", name);
      for (const Node& item : value.items) axis.values.push_back(value_text(table, name, item));
    } else {
      axis.values.push_back(scalar_text(table, name, value));
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

Match read_match(const TableReader& table, const Node& node) {
  Match match{.equal = {}, .line = node.line, .lines = table.lines()};
  for (const auto& [name, value] : node.members)
    match.equal.emplace_back(name, value_text(table, name, value));
  return match;
}

Match match_of(TableReader& table, const char* name, bool needed = false) {
  const Node* node = table.table(name);
  if (node == nullptr && needed)
    table.fail(table.line(), "{} lacks {}; write {} = {{ algorithm = \"bruck\" }}", table.name(),
               name, name);
  if (node == nullptr) return {.equal = {}, .line = table.line()};
  return read_match(TableReader(*node, name, table.path()), *node);
}

// The forms of a table, by name.
template <class Form>
using Forms = std::vector<std::pair<std::string, Form>>;

template <class Form>
Form form_of(TableReader& table, const Forms<Form>& forms, Form fallback) {
  const auto text = table.optional_text("form");
  if (!text) return fallback;
  std::vector<std::string> names;
  for (const auto& [name, form] : forms) {
    if (*text == name) return form;
    names.push_back(name);
  }
  table.fail(table.line_of("form"), "form \"{}\" of {} is unknown; write {}", *text, table.name(),
             fmt::join(names, " or "));
}

Derived read_derived(const Node& node, const std::string& path) {
  TableReader table(node, "[[derive]]", path);
  Derived derived;
  derived.line = node.line;
  derived.lines = table.lines();
  derived.name = table.text("name");
  derived.of = table.text_or("of", "time");
  derived.form = form_of<Derived::Form>(
      table, {{"speedup", Derived::Form::speedup}, {"ratio", Derived::Form::ratio}},
      Derived::Form::ratio);
  derived.against = match_of(table, "against", true);
  table.finish();
  return derived;
}

const char* default_x(RowKind kind) {
  switch (kind) {
    case RowKind::simulate:
    case RowKind::order:
    case RowKind::pairs:
      return "size";
    case RowKind::find:
      return "nodes";
    case RowKind::economics:
      return "hosts";
    case RowKind::price:
      return "units";
    case RowKind::phases:
      return "phase";
    default:
      return "topology";
  }
}

const char* default_series(RowKind kind) {
  switch (kind) {
    case RowKind::find:
      return "degree";
    case RowKind::economics:
      return "design";
    case RowKind::price:
      return "part";
    case RowKind::embedding:
      return "guest";
    default:
      return runs_schedule(kind) ? "algorithm" : "topology";
  }
}

const char* default_y(RowKind kind) {
  switch (kind) {
    case RowKind::simulate:
    case RowKind::order:
    case RowKind::pairs:
      return "time";
    case RowKind::topology:
      return "diameter";
    case RowKind::throughput:
      return "throughput";
    case RowKind::economics:
    case RowKind::price:
      return "dollars";
    case RowKind::embedding:
      return "spare_cables";
    case RowKind::phases:
      return "busiest_link";
    case RowKind::find:
      return "bandwidth_factor";
    case RowKind::crossings:
      return "makespan";
    case RowKind::cost:
    case RowKind::forecast:
      break;
  }
  return "bandwidth_factor";
}

ChartSpec read_chart(const Node& node, const std::string& path, RowKind kind) {
  TableReader table(node, "[[chart]]", path);
  const bool timed = kind == RowKind::simulate || kind == RowKind::order || kind == RowKind::pairs;
  ChartSpec chart;
  chart.line = node.line;
  chart.lines = table.lines();
  chart.name = table.text("name");
  chart.title = table.text_or("title", chart.name);
  chart.x = table.text_or("x", default_x(kind));
  chart.y = table.text_or("y", default_y(kind));
  chart.series = table.text_or("series", default_series(kind));
  chart.panel = table.optional_text("panel");
  chart.form = form_of<ChartSpec::Form>(table,
                                        {{"lines", ChartSpec::Form::lines},
                                         {"points", ChartSpec::Form::points},
                                         {"bars", ChartSpec::Form::bars}},
                                        ChartSpec::Form::lines);
  chart.log_x = table.truth_or("log-x", timed);
  chart.log_y = table.truth_or("log-y", timed);
  chart.spread = table.optional_text("spread");
  chart.x_label = table.text_or("x-label", chart.x);
  chart.y_label = table.text_or("y-label", chart.y);
  chart.where = match_of(table, "where");
  table.finish();
  return chart;
}

// `than` and `column-to` tell two of the forms by themselves.
Claim::Form claim_form(TableReader& table) {
  static const std::map<std::string, Claim::Form, std::less<>> kForms{
      {"value", Claim::Form::value},
      {"below", Claim::Form::below},
      {"at-most", Claim::Form::at_most},
      {"at-least", Claim::Form::at_least},
      {"interval", Claim::Form::interval}};
  const auto text = table.optional_text("form");
  if (!text)
    return table.has("than")        ? Claim::Form::below
           : table.has("column-to") ? Claim::Form::interval
                                    : Claim::Form::value;
  const auto found = kForms.find(*text);
  if (found == kForms.end())
    table.fail(table.line_of("form"),
               "form \"{}\" of {} is unknown; write value, below, at-most, at-least or interval",
               *text, table.name());
  return found->second;
}

Claim::Over over_of(TableReader& table) {
  const auto text = table.optional_text("over");
  if (!text || *text == "each") return Claim::Over::each;
  if (*text == "mean") return Claim::Over::mean;
  if (*text == "least") return Claim::Over::least;
  if (*text != "greatest")
    table.fail(table.line_of("over"),
               "over \"{}\" of {} is unknown; write each, mean, least or greatest", *text,
               table.name());
  return Claim::Over::greatest;
}

void read_tolerance(TableReader& table, Claim& claim) {
  if (table.has("tolerance") && table.has("within"))
    table.fail(table.line_of("within"),
               "{} has both tolerance (relative) and within (absolute); keep one", table.name());
  claim.tolerance = table.number_or("tolerance", claim.tolerance);
  if (claim.tolerance >= 1)
    table.fail(table.line_of("tolerance"),
               "tolerance {} of {} is 1 or more (it is relative); write 0.05 for 5 %",
               claim.tolerance, table.name());
  if (table.has("within")) claim.within = table.number_or("within", 0);
}

Claim read_claim(const Node& node, const std::string& path, RowKind kind) {
  TableReader table(node, "[[claim]]", path);
  Claim claim;
  claim.line = node.line;
  claim.lines = table.lines();
  claim.text = table.text("text");
  claim.source = table.text_or("source", "");
  const bool timed = kind == RowKind::simulate || kind == RowKind::order || kind == RowKind::pairs;
  claim.column = table.text_or("column", timed ? "time" : "");
  claim.form = claim_form(table);
  const bool below = claim.form == Claim::Form::below;
  claim.where = match_of(table, "where", true);
  if (below) {
    claim.than = match_of(table, "than", true);
    claim.from = table.optional_text("from");
    claim.to = table.optional_text("to");
  }
  if (below && table.has("printed"))
    table.fail(table.line_of("printed"),
               "{} has both printed and than; a value takes printed, an order takes than",
               table.name());
  if (!below) claim.printed = table.text("printed");
  if (!below) read_tolerance(table, claim);
  if (!below) claim.over = over_of(table);
  if (claim.form == Claim::Form::interval) claim.column_to = table.text("column-to");
  if (table.has("reason")) claim.reason = table.text("reason");
  if (!below) claim.ours = table.optional_text("ours");
  if (claim.ours && !claim.reason)
    table.fail(table.line_of("ours"),
               "{} has ours without a reason; write reason = \"docs/reproduction.md: ...\"",
               table.name());
  table.finish();
  return claim;
}

void read_head(const Node& root, Experiment& experiment) {
  const Node* node = nullptr;
  for (const auto& [name, value] : root.members)
    if (name == "experiment" && value.kind == Node::Kind::table) node = &value;
  if (node == nullptr)
    reject_at(experiment.path, 1, "the table [experiment] is missing; begin with it and a title");
  TableReader table(*node, "[experiment]", experiment.path);
  experiment.title = table.text("title");
  experiment.source = table.text_or("source", "");
  experiment.description = table.text_or("description", "");
  experiment.groups = table.texts("groups");
  const std::string kind = table.text_or("kind", "simulate");
  table.located("kind", [&] { experiment.kind = parse_row_kind(kind); });
  experiment.measures = table.texts("measure");
  experiment.lines = table.lines();
  table.finish();
}

}  // namespace

Experiment parse_experiment(std::string_view content, const std::string& path) {
  const Node root = parse_document(content, path);
  Experiment experiment;
  experiment.path = path;
  experiment.name = std::filesystem::path(path).stem().string();
  read_head(root, experiment);
  TableReader table(root, "the file", path);
  table.table("experiment");
  // The axes in the order of the file, whichever of the two tables comes first.
  std::vector<Axis> variables = read_axes(table.table("variables"), path, true);
  std::vector<Axis> grid = read_axes(table.table("grid"), path, false);
  const bool variables_first =
      grid.empty() || variables.empty() || variables.front().line < grid.front().line;
  experiment.axes = variables_first ? variables : grid;
  const auto& rest = variables_first ? grid : variables;
  experiment.axes.insert(experiment.axes.end(), rest.begin(), rest.end());
  experiment.quick = read_axes(table.table("quick"), path, false);
  experiment.full = read_axes(table.table("full"), path, false);
  for (const Node& node : table.tables("exclude"))
    experiment.excludes.push_back(read_match(TableReader(node, "[[exclude]]", path), node));
  for (const Node& node : table.tables("derive"))
    experiment.derived.push_back(read_derived(node, path));
  for (const Node& node : table.tables("chart"))
    experiment.charts.push_back(read_chart(node, path, experiment.kind));
  for (const Node& node : table.tables("claim"))
    experiment.claims.push_back(read_claim(node, path, experiment.kind));
  table.finish();
  check_axes(experiment);
  check_references(experiment);
  return experiment;
}

Experiment load_experiment(const std::string& path) {
  return parse_experiment(read_file(path), path);
}

}  // namespace weft::experiment
