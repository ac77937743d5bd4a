#include "weft/study/file/selection_reader.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/fields/field.hpp"
#include "weft/rows/kind.hpp"
#include "weft/study/file/match_reader.hpp"
#include "weft/study/file/substitution.hpp"

namespace weft::study {

namespace {

constexpr std::size_t kMostMatches = 100'000;

bool is_several(const std::string& name, const TomlNode& node) {
  if (node.kind != TomlNode::Kind::list) return false;
  return name != "link" || std::ranges::any_of(node.items, [](const TomlNode& item) {
           return item.kind == TomlNode::Kind::list;
         });
}

bool has_ranges(const std::string& name) {
  const fields::Field* field = rows::find_field(name);
  return field == nullptr || field->ranges != fields::Ranges::none;  // null: a variable
}

std::vector<std::string> values_in(const TomlTable& table, const std::string& name,
                                   const TomlNode& node) {
  std::vector<std::string> values;
  const auto add = [&](const TomlNode& item) {
    const std::string text = value_text(table, name, item);
    if (!has_ranges(name)) return values.push_back(text);
    located(table.path(), item.line, [&] {
      for (std::string& value : range_values(text)) values.push_back(std::move(value));
    });
  };
  if (is_several(name, node))
    for (const TomlNode& item : node.items) add(item);
  else
    add(node);
  if (values.empty()) table.fail(node.line, "{} has no value; give at least one", name);
  return values;
}

// Every match with every one of the values.
void multiply(std::vector<Match>& matches, const TomlTable& table, const std::string& name,
              const TomlNode& node) {
  const std::vector<std::string> values = values_in(table, name, node);
  WEFT_ASSERT(!matches.empty() && !values.empty());
  if (values.size() > kMostMatches / matches.size())
    table.fail(node.line, "{} has more than {} combinations of values; split it", table.name(),
               kMostMatches);
  std::vector<Match> products;
  for (const Match& match : matches)
    for (const std::string& value : values) {
      products.push_back(match);
      products.back().equal.emplace_back(name, value);
      products.back().lines[name] = node.line;
    }
  WEFT_ASSERT(products.size() == matches.size() * values.size());
  matches = std::move(products);
}

void add_row(Pairing& pairing, const TomlTable& table, const std::vector<std::string>& axes,
             const TomlNode& row) {
  if (row.kind != TomlNode::Kind::list || row.items.empty())
    table.fail(row.line, "a row of [[pairs]] is {}; write a list of values, one for each of axes",
               row.kind == TomlNode::Kind::list ? "empty" : row.kind_name());
  if (row.items.size() > axes.size())
    table.fail(row.line, "a row of [[pairs]] has {} values for {} axes; leave {} out",
               row.items.size(), axes.size(), row.items.size() - axes.size());
  WEFT_ASSERT(row.items.size() <= axes.size());
  std::vector<Match> matches(1);
  matches.front().line = row.line;
  for (std::size_t i = 0; i < row.items.size(); ++i)
    multiply(matches, table, axes[i], row.items[i]);
  pairing.together.insert(pairing.together.end(), matches.begin(), matches.end());
}

}  // namespace

std::vector<Match> read_exclude(const TomlNode& node, const std::string& path) {
  const TomlTable table(node, "[[exclude]]", path);
  std::vector<Match> matches(1);
  matches.front().line = node.line;
  for (const auto& [name, value] : node.members) multiply(matches, table, name, value);
  return matches;
}

Pairing read_pairing(const TomlNode& node, const std::string& path) {
  TomlTable table(node, "[[pairs]]", path);
  Pairing pairing{.together = {}, .line = node.line};
  const std::vector<std::string> axes = table.texts("axes");
  if (axes.size() < 2)
    table.fail(table.line_of("axes"),
               "[[pairs]] needs two axes or more; write axes = [\"topology\", \"algorithm\"]");
  for (const TomlNode& row : table.list("rows")) add_row(pairing, table, axes, row);
  if (pairing.together.empty())
    table.fail(table.line_of("rows"), "rows of [[pairs]] is empty; write one at least");
  table.finish();
  return pairing;
}

}  // namespace weft::study
