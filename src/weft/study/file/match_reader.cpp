#include "weft/study/file/match_reader.hpp"

namespace weft::study {

namespace {

std::string scalar_text(const TableReader& table, const std::string& name, const Node& node) {
  if (!node.scalar())
    table.fail(node.line, "{} is {}; write a text or a number", name, node.kind_name());
  return node.text;
}

}  // namespace

// `link` may be a list of lists: each the values of several --link, kept with ';' between them.
std::string value_text(const TableReader& table, const std::string& name, const Node& node) {
  if (name != "link" || node.kind != Node::Kind::list) return scalar_text(table, name, node);
  std::string text;
  for (const Node& item : node.items)
    text += (text.empty() ? "" : ";") + scalar_text(table, name, item);
  return text;
}

Match read_match(const TableReader& table, const Node& node) {
  Match match{.equal = {}, .line = node.line, .lines = table.lines()};
  for (const auto& [name, value] : node.members)
    match.equal.emplace_back(name, value_text(table, name, value));
  return match;
}

Match match_of(TableReader& table, const char* name, bool needed) {
  const Node* node = table.table(name);
  if (node == nullptr && needed)
    table.fail(table.line(), "{} lacks {}; write {} = {{ algorithm = \"bruck\" }}", table.name(),
               name, name);
  if (node == nullptr) return {.equal = {}, .line = table.line()};
  return read_match(TableReader(*node, name, table.path()), *node);
}

}  // namespace weft::study
