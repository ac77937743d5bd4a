#include "cli/study/results_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <variant>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/fields/value.hpp"

namespace weft::cli {

namespace {

using fields::Value;
using study::Match;
using study::ResultRow;
using study::Results;

// Everything that some row has, in the order of its columns and then by name.
std::vector<std::string> known_columns(const Results& results) {
  std::vector<std::string> known = results.parameters;
  known.insert(known.end(), results.measures.begin(), results.measures.end());
  std::set<std::string> others;
  for (const ResultRow& row : results.rows)
    for (const auto* values : {&row.row.parameters, &row.row.variables, &row.results})
      for (const auto& [name, value] : *values) others.insert(name);
  for (const std::string& name : others)
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  return known;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void require_column(const std::string& name, const std::vector<std::string>& known) {
  if (!contains(known, name)) reject("no row has a column '{}'; {}", name, suggest(name, known));
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> items;
  std::istringstream in(list);
  for (std::string item; std::getline(in, item, ',');) items.push_back(item);
  return items;
}

std::string trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// What the rows have in this column, each once, as people write it.
std::vector<std::string> values_in(const Results& results, const std::string& column) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const ResultRow& row : results.rows)
    if (std::string value = study::show_value(column, row.get(column));
        !value.empty() && seen.insert(value).second)
      values.push_back(std::move(value));
  return values;
}

// A condition that no row meets alone is a slip; of several, each may be met and yet not all.
void require_rows(const Results& results, const std::pair<std::string, std::string>& condition) {
  const Match alone{.equal = {condition}};
  if (std::any_of(results.rows.begin(), results.rows.end(),
                  [&](const ResultRow& row) { return matches(row, alone); }))
    return;
  constexpr std::size_t kMostNamed = 24;
  const auto& [column, text] = condition;
  const std::vector<std::string> known = values_in(results, column);
  if (known.empty() || known.size() > kMostNamed)
    reject("no row has {}={} (there are {} other values); see weft results without --where", column,
           text, known.size());
  reject("no row has {}={}; {}", column, text, suggest(text, known));
}

std::string shown(std::string_view column, const Value& value, Style style) {
  return style == Style::people ? study::show_value(column, value) : fields::to_text(value);
}

bool any_error(const View& view) {
  return std::any_of(view.rows.begin(), view.rows.end(),
                     [](const ResultRow* row) { return !row->error.empty(); });
}

// What all rows have there.
std::optional<Value> constant_in(const View& view, const std::string& column) {
  if (view.rows.size() < 2) return std::nullopt;
  const Value first = view.rows.front()->get(column);
  const bool alike = std::ranges::all_of(
      view.rows, [&](const ResultRow* row) { return row->get(column) == first; });
  return alike ? std::optional(first) : std::nullopt;
}

// JSON has neither infinity nor NaN.
answer::Value answer_value(const Value& value) {
  if (const auto* number = std::get_if<double>(&value); number && !std::isfinite(*number))
    return fields::to_text(value);
  return std::visit([](const auto& held) -> answer::Value { return held; }, value);
}

std::string state_of(const ResultRow& row) {
  return row.missing ? "not computed" : row.error;
}

}  // namespace

Match parse_conditions(const std::vector<std::string>& texts, const Results& results) {
  const std::vector<std::string> known = known_columns(results);
  Match match;
  for (const std::string& text : texts) {
    bool first = true;
    for (const std::string& item : split(text)) {
      const std::size_t equals = item.find('=');
      const std::string name = trim(item.substr(0, equals));
      const bool condition = equals != std::string::npos && contains(known, name);
      if (condition) {
        match.equal.emplace_back(name, trim(item.substr(equals + 1)));
      } else if (first || (equals != std::string::npos && name.find('(') == std::string::npos &&
                           match.equal.back().second.find('(') == std::string::npos)) {
        require(equals != std::string::npos, "'{}' is not a condition; write size=1MiB", item);
        require_column(name, known);
      } else {
        match.equal.back().second += ',' + item;
      }
      first = false;
    }
  }
  for (const auto& condition : match.equal) require_rows(results, condition);
  return match;
}

View choose(const Results& results, const Match& where, const std::string& list, bool wall) {
  View view{.rows = {}, .columns = {}, .wall = wall};
  const std::vector<std::string> known = known_columns(results);
  for (const std::string& item : split(list)) {
    view.columns.push_back(trim(item));
    require_column(view.columns.back(), known);
  }
  if (view.columns.empty()) {
    view.columns = results.parameters;
    for (const std::string& name : results.measures)
      if (!contains(view.columns, name)) view.columns.push_back(name);
  }
  for (const ResultRow& row : results.rows)
    if (matches(row, where)) view.rows.push_back(&row);
  return view;
}

Table table_of(const View& view, Style style) {
  std::vector<std::string> heading = view.columns;
  const bool errors = any_error(view) || std::any_of(view.rows.begin(), view.rows.end(),
                                                     [](const auto* row) { return row->missing; });
  if (errors) heading.push_back("error");
  if (view.wall) heading.push_back("wall");
  Table table(heading);
  for (const ResultRow* row : view.rows) {
    std::vector<std::string> line;
    for (const std::string& column : view.columns)
      line.push_back(shown(column, row->get(column), style));
    if (errors) line.push_back(state_of(*row));
    if (view.wall) line.push_back(row->missing ? "" : shown("time", row->wall_s, style));
    table.add(std::move(line));
  }
  return table;
}

NamedValues named(const fields::Values& values) {
  NamedValues pairs;
  for (const auto& [name, value] : values) pairs.emplace_back(name, answer_value(value));
  return pairs;
}

std::vector<NamedValues> rows_of(const View& view) {
  std::vector<NamedValues> rows;
  for (const ResultRow* row : view.rows) {
    NamedValues& values = rows.emplace_back();
    for (const std::string& column : view.columns)
      values.emplace_back(column, answer_value(row->get(column)));
    if (!row->error.empty()) values.emplace_back("error", row->error);
    if (row->missing) values.emplace_back("missing", true);
    if (view.wall && !row->missing) values.emplace_back("wall_s", row->wall_s);
  }
  return rows;
}

Table pivot_of(const Results& results, const View& view, const std::string& pivot,
               const std::string& value, Style style) {
  const std::vector<std::string> known = known_columns(results);
  require_column(pivot, known);
  require_column(value, known);
  std::vector<std::string> sides, tops;
  for (const std::string& name : results.parameters)
    if (name != pivot && (style == Style::machines || !constant_in(view, name)))
      sides.push_back(name);
  std::vector<std::vector<std::string>> lines;
  std::map<std::vector<std::string>, std::map<std::string, std::string>> cells;
  for (const ResultRow* row : view.rows) {
    std::vector<std::string> side;
    for (const std::string& name : sides) side.push_back(shown(name, row->get(name), style));
    const std::string top = shown(pivot, row->get(pivot), style);
    if (!contains(tops, top)) tops.push_back(top);
    if (!cells.contains(side)) lines.push_back(side);
    cells[side][top] = shown(value, row->get(value), style);
  }
  std::vector<std::string> heading = sides;
  heading.insert(heading.end(), tops.begin(), tops.end());
  Table table(heading);
  for (const auto& side : lines) {
    std::vector<std::string> line = side;
    for (const std::string& top : tops) line.push_back(cells[side][top]);
    table.add(std::move(line));
  }
  return table;
}

std::string alike_of(const Results& results, const View& view, const std::string& pivot) {
  std::vector<std::string> alike;
  for (const std::string& name : results.parameters)
    if (const auto value = constant_in(view, name); value && name != pivot)
      alike.push_back(fmt::format("{}={}", name, shown(name, *value, Style::people)));
  return alike.empty() ? "" : fmt::format("in all rows: {}\n", fmt::join(alike, ", "));
}

}  // namespace weft::cli
