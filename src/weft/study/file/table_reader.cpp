#include "weft/study/file/table_reader.hpp"

#include <algorithm>
#include <charconv>

#include "weft/base/suggest.hpp"

namespace weft::study {

TableReader::TableReader(const Node& table, std::string name, const std::string& path)
    : table_(table), name_(std::move(name)), path_(path) {
  if (table_.kind != Node::Kind::table)
    fail(table_.line, "{} is {}; make it a table", name_, table_.kind_name());
}

const Node* TableReader::peek(std::string_view key) const {
  for (const auto& [name, node] : table_.members)
    if (name == key) return &node;
  return nullptr;
}

const Node* TableReader::take(std::string_view key) {
  asked_.emplace_back(key);
  return peek(key);
}

int TableReader::line_of(std::string_view key) const {
  const Node* node = peek(key);
  return node == nullptr ? table_.line : node->line;
}

std::map<std::string, int, std::less<>> TableReader::lines() const {
  std::map<std::string, int, std::less<>> lines;
  for (const auto& [name, node] : table_.members) lines[name] = node.line;
  return lines;
}

void TableReader::wrong_type(std::string_view key, const Node& node, std::string_view right) const {
  fail(node.line, "{} of {} is {}; write {}", key, name_, node.kind_name(), right);
}

std::optional<std::string> TableReader::optional_text(std::string_view key) {
  const Node* node = take(key);
  if (node == nullptr) return std::nullopt;
  if (node->kind != Node::Kind::text && node->kind != Node::Kind::number)
    wrong_type(key, *node, "a text in quotes");
  return node->text;
}

std::string TableReader::text(std::string_view key) {
  const auto text = optional_text(key);
  if (!text) fail(table_.line, "{} lacks {}; write {} = \"...\"", name_, key, key);
  if (text->empty()) fail(line_of(key), "{} of {} is empty; write some text", key, name_);
  return *text;
}

std::string TableReader::text_or(std::string_view key, std::string_view fallback) {
  return optional_text(key).value_or(std::string(fallback));
}

std::vector<std::string> TableReader::texts(std::string_view key) {
  const Node* node = take(key);
  if (node == nullptr) return {};
  if (node->kind == Node::Kind::text) return {node->text};
  if (node->kind != Node::Kind::list) wrong_type(key, *node, "a list of texts");
  std::vector<std::string> texts;
  for (const Node& item : node->items) {
    if (item.kind != Node::Kind::text) wrong_type(key, item, "texts in quotes in the list");
    texts.push_back(item.text);
  }
  return texts;
}

std::vector<std::string> TableReader::scalars(std::string_view key) {
  const Node* node = take(key);
  if (node == nullptr) return {};
  if (node->scalar()) return {node->text};
  if (node->kind != Node::Kind::list || node->items.empty())
    wrong_type(key, *node, "a number, or a list of them");
  std::vector<std::string> scalars;
  for (const Node& item : node->items) {
    if (!item.scalar()) wrong_type(key, item, "numbers in the list");
    scalars.push_back(item.text);
  }
  return scalars;
}

bool TableReader::truth_or(std::string_view key, bool fallback) {
  const Node* node = take(key);
  if (node == nullptr) return fallback;
  if (node->kind != Node::Kind::truth) wrong_type(key, *node, "true or false");
  return node->text == "true";
}

double TableReader::number_or(std::string_view key, double fallback) {
  const Node* node = take(key);
  if (node == nullptr) return fallback;
  double number = -1;
  if (node->kind == Node::Kind::number)
    std::from_chars(node->text.data(), node->text.data() + node->text.size(), number);
  if (node->kind == Node::Kind::number && !(number >= 0))
    fail(node->line, "{} of {} is {}; write a number of 0 or more", key, name_, node->text);
  if (node->kind != Node::Kind::number) wrong_type(key, *node, "a number of 0 or more");
  return number;
}

const Node* TableReader::table(std::string_view key) {
  const Node* node = take(key);
  if (node != nullptr && node->kind != Node::Kind::table) wrong_type(key, *node, "a table");
  return node;
}

std::span<const Node> TableReader::tables(std::string_view key) {
  const Node* node = take(key);
  if (node == nullptr) return {};
  const bool right =
      node->kind == Node::Kind::list && std::ranges::all_of(node->items, [](const Node& item) {
        return item.kind == Node::Kind::table;
      });
  if (!right) wrong_type(key, *node, fmt::format("tables, [[{}]]", key));
  return node->items;
}

void TableReader::finish() const {
  for (const auto& [key, node] : table_.members)
    if (std::ranges::find(asked_, key) == asked_.end())
      fail(node.line, "{} has no \"{}\"; {}", name_, key, suggest(key, asked_));
}

}  // namespace weft::study
