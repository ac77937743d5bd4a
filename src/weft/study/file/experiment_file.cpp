// Reading an experiment: the tables of the file into their structs. What they mean is checked in
// axis_checks.cpp and reference_checks.cpp.
#include <fmt/format.h>

#include <filesystem>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/study/file/claim_reader.hpp"
#include "weft/study/file/claim_table.hpp"
#include "weft/study/file/experiment_checks.hpp"
#include "weft/study/file/match_reader.hpp"
#include "weft/study/file/selection_reader.hpp"

namespace weft::study {

namespace {

std::vector<Axis> read_axes(const TomlNode* node, const std::string& path, bool variables) {
  std::vector<Axis> axes;
  if (node == nullptr) return axes;
  const TomlTable table(*node, variables ? "[variables]" : "[grid]", path);
  for (const auto& [name, value] : node->members) {
    if (variables && name.find_first_of("+-*/%") != std::string::npos)
      table.fail(value.line,
                 "the name of the variable {} has an arithmetic sign, which {{{}}} would evaluate; "
                 "choose another name",
                 name, name);
    Axis axis{.name = name, .values = {}, .variable = variables, .line = value.line};
    if (value.kind == TomlNode::Kind::list) {
      if (value.items.empty()) table.fail(value.line, "{} has no value; give at least one", name);
      for (const TomlNode& item : value.items) axis.values.push_back(value_text(table, name, item));
    } else {
      axis.values.push_back(value_text(table, name, value));
    }
    WEFT_ASSERT(!axis.values.empty());
    axes.push_back(std::move(axis));
  }
  return axes;
}

// The forms of a table, by name.
template <class Form>
using Forms = std::vector<std::pair<std::string, Form>>;

template <class Form>
Form form_of(TomlTable& table, const Forms<Form>& forms, Form fallback) {
  const auto text = table.optional_text("form");
  if (!text) return fallback;
  std::vector<std::string> names;
  for (const auto& [name, form] : forms) {
    if (*text == name) return form;
    names.push_back(name);
  }
  table.fail(table.line_of("form"), "{}",
             unknown_text({"form", *text, fmt::format("of {}", table.name())}, names));
}

Derived read_derived(const TomlNode& node, const std::string& path) {
  TomlTable table(node, "[[derive]]", path);
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

ChartSpec read_chart(const TomlNode& node, const std::string& path, const RowKind& kind) {
  TomlTable table(node, "[[chart]]", path);
  ChartSpec chart;
  chart.line = node.line;
  chart.lines = table.lines();
  chart.name = table.text("name");
  chart.title = table.text_or("title", chart.name);
  chart.x = table.text_or("x", kind.chart.x);
  chart.y = table.text_or("y", kind.chart.y);
  chart.series = table.text_or("series", kind.chart.series);
  chart.panel = table.optional_text("panel");
  chart.form = form_of<ChartSpec::Form>(table,
                                        {{"lines", ChartSpec::Form::lines},
                                         {"points", ChartSpec::Form::points},
                                         {"bars", ChartSpec::Form::bars}},
                                        ChartSpec::Form::lines);
  chart.log_x = table.truth_or("log-x", kind.chart.timed);
  chart.log_y = table.truth_or("log-y", kind.chart.timed);
  chart.spread = table.optional_text("spread");
  chart.x_label = table.text_or("x-label", chart.x);
  chart.y_label = table.text_or("y-label", chart.y);
  chart.where = match_of(table, "where");
  table.finish();
  return chart;
}

void read_head(const TomlNode& root, Experiment& experiment) {
  const TomlNode* node = nullptr;
  for (const auto& [name, value] : root.members)
    if (name == "experiment" && value.kind == TomlNode::Kind::table) node = &value;
  if (node == nullptr)
    reject_at(experiment.path, 1, "the table [experiment] is missing; begin with it and a title");
  TomlTable table(*node, "[experiment]", experiment.path);
  experiment.title = table.text("title");
  experiment.source = table.text_or("source", "");
  experiment.description = table.text_or("description", "");
  experiment.groups = table.texts("groups");
  const std::string kind = table.text_or("kind", "simulate");
  table.located("kind", [&] { experiment.kind = &rows::kind_of(kind); });
  experiment.measures = table.texts("measure");
  experiment.lines = table.lines();
  table.finish();
}

}  // namespace

Experiment parse_experiment(std::string_view content, const std::string& path) {
  const TomlNode root = parse_toml(content, path);
  Experiment experiment;
  experiment.path = path;
  experiment.name = std::filesystem::path(path).stem().string();
  read_head(root, experiment);
  TomlTable table(root, "the file", path);
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
  for (const TomlNode& node : table.tables("exclude"))
    for (Match& match : read_exclude(node, path)) experiment.excludes.push_back(std::move(match));
  for (const TomlNode& node : table.tables("pairs"))
    experiment.pairings.push_back(read_pairing(node, path));
  for (const TomlNode& node : table.tables("derive"))
    experiment.derived.push_back(read_derived(node, path));
  for (const TomlNode& node : table.tables("chart"))
    experiment.charts.push_back(read_chart(node, path, *experiment.kind));
  for (const TomlNode& node : claim_nodes(table))
    experiment.claims.push_back(read_claim(node, path, *experiment.kind));
  table.finish();
  check_axes(experiment);
  check_references(experiment);
  return experiment;
}

Experiment load_experiment(const std::string& path) {
  return parse_experiment(read_file(path), path);
}

}  // namespace weft::study
