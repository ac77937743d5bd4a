#include "weft/study/file/match_reader.hpp"

namespace weft::study {

namespace {

std::string scalar_text(const TomlTable& table, const std::string& name, const TomlNode& node) {
  if (!node.scalar())
    table.fail(node.line, "{} is {} (expected a text or a number)", name, node.kind_name());
  return node.text;
}

}  // namespace

// `link` may be a list of lists: each the values of several --link, kept with ';' between them.
std::string value_text(const TomlTable& table, const std::string& name, const TomlNode& node) {
  if (name != "link" || node.kind != TomlNode::Kind::list) return scalar_text(table, name, node);
  std::string text;
  for (const TomlNode& item : node.items)
    text += (text.empty() ? "" : ";") + scalar_text(table, name, item);
  return text;
}

Match read_match(const TomlTable& table, const TomlNode& node) {
  Match match{.equal = {}, .line = node.line, .lines = table.lines()};
  for (const auto& [name, value] : node.members)
    match.equal.emplace_back(name, value_text(table, name, value));
  return match;
}

Match match_of(TomlTable& table, const char* name, bool needed) {
  const TomlNode* node = table.table(name);
  if (node == nullptr && needed)
    table.fail(table.line(),
               "{} has no {}; add {} = {{ PARAMETER = \"VALUE\" }} with a parameter of [grid]",
               table.name(), name, name);
  if (node == nullptr) return {.equal = {}, .line = table.line()};
  return read_match(TomlTable(*node, name, table.path()), *node);
}

}  // namespace weft::study
