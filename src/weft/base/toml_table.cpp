#include "weft/base/toml_table.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/enumeration.hpp"
#include "weft/base/text.hpp"

namespace weft {

TomlTable::TomlTable(const TomlNode& table, std::string name, const std::string& path)
    : table_(table), name_(std::move(name)), path_(path) {
  if (table_.kind != TomlNode::Kind::table)
    fail(table_.line, "{} is {} (expected a table)", name_, table_.kind_name());
}

const TomlNode* TomlTable::peek(std::string_view key) const {
  for (const auto& [name, node] : table_.members)
    if (name == key) return &node;
  return nullptr;
}

const TomlNode* TomlTable::take(std::string_view key) {
  asked_.emplace_back(key);
  return peek(key);
}

const TomlNode& TomlTable::needed(std::string_view key) {
  const TomlNode* node = take(key);
  if (node == nullptr) fail(table_.line, "{} has no {}", name_, key);
  return *node;
}

const std::vector<TomlNode>& TomlTable::list(std::string_view key) {
  const TomlNode& node = needed(key);
  if (node.kind != TomlNode::Kind::list) wrong_type(key, node, "a list");
  return node.items;
}

int TomlTable::line_of(std::string_view key) const {
  const TomlNode* node = peek(key);
  return node == nullptr ? table_.line : node->line;
}

std::map<std::string, int, std::less<>> TomlTable::lines() const {
  std::map<std::string, int, std::less<>> lines;
  for (const auto& [name, node] : table_.members) lines[name] = node.line;
  return lines;
}

void TomlTable::wrong_type(std::string_view key, const TomlNode& node,
                           std::string_view right) const {
  fail(node.line, "{} of {} is {} (expected {})", key, name_, node.kind_name(), right);
}

std::optional<std::string> TomlTable::optional_text(std::string_view key) {
  const TomlNode* node = take(key);
  if (node == nullptr) return std::nullopt;
  if (node->kind != TomlNode::Kind::text && node->kind != TomlNode::Kind::number)
    wrong_type(key, *node, "a text in quotes");
  return node->text;
}

std::string TomlTable::text(std::string_view key) {
  const auto text = optional_text(key);
  if (!text) fail(table_.line, "{} has no {}; add {} = \"...\"", name_, key, key);
  if (text->empty()) fail(line_of(key), "{} of {} is empty (expected text)", key, name_);
  return *text;
}

std::string TomlTable::text_or(std::string_view key, std::string_view fallback) {
  return optional_text(key).value_or(std::string(fallback));
}

std::string TomlTable::prose_or(std::string_view key, std::string_view fallback) {
  const TomlNode* node = take(key);
  if (node == nullptr) return std::string(fallback);
  if (node->kind != TomlNode::Kind::text) wrong_type(key, *node, "a text in quotes");
  return node->text;
}

std::vector<std::string> TomlTable::texts(std::string_view key) {
  const TomlNode* node = take(key);
  if (node == nullptr) return {};
  if (node->kind == TomlNode::Kind::text) return {node->text};
  if (node->kind != TomlNode::Kind::list) wrong_type(key, *node, "a list of texts");
  std::vector<std::string> texts;
  for (const TomlNode& item : node->items) {
    if (item.kind != TomlNode::Kind::text) wrong_type(key, item, "texts in quotes in the list");
    texts.push_back(item.text);
  }
  return texts;
}

std::vector<std::string> TomlTable::scalars(std::string_view key) {
  const TomlNode* node = take(key);
  if (node == nullptr) return {};
  if (node->scalar()) return {node->text};
  if (node->kind != TomlNode::Kind::list) wrong_type(key, *node, "a number, or a list of numbers");
  if (node->items.empty())
    fail(node->line, "{} of {} is an empty list (expected a number, or a list of numbers)", key,
         name_);
  std::vector<std::string> scalars;
  for (const TomlNode& item : node->items) {
    if (!item.scalar()) wrong_type(key, item, "numbers in the list");
    scalars.push_back(item.text);
  }
  return scalars;
}

bool TomlTable::truth_or(std::string_view key, bool fallback) {
  const TomlNode* node = take(key);
  if (node == nullptr) return fallback;
  if (node->kind != TomlNode::Kind::truth) wrong_type(key, *node, "true or false");
  return node->text == "true";
}

std::int64_t TomlTable::integer_of(const TomlNode& node, std::string_view what, std::int64_t least,
                                   std::int64_t most) const {
  const auto integer = number_in<std::int64_t>(node.text);
  if (node.kind != TomlNode::Kind::number || !integer || *integer < least || *integer > most)
    fail(node.line, "{} is not an integer from {} to {}", what, least, most);
  return *integer;
}

std::int64_t TomlTable::integer(std::string_view key, std::int64_t least, std::int64_t most) {
  return integer_of(needed(key), key, least, most);
}

std::int64_t TomlTable::integer_or(std::string_view key, std::int64_t least, std::int64_t most,
                                   std::int64_t fallback) {
  const TomlNode* node = take(key);
  return node == nullptr ? fallback : integer_of(*node, key, least, most);
}

double TomlTable::number_of(const TomlNode& node, std::string_view key, double least, double most,
                            std::string_view right) const {
  if (node.kind != TomlNode::Kind::number) wrong_type(key, node, right);
  const auto number = number_in<double>(node.text);
  if (!number || *number < least || *number > most)
    fail(node.line, "{} of {} is {} (expected {})", key, name_, node.text, right);
  return *number;
}

double TomlTable::number(std::string_view key, double least, double most) {
  return number_of(needed(key), key, least, most,
                   fmt::format("a number from {:g} to {:g}", least, most));
}

double TomlTable::number_or(std::string_view key, double fallback) {
  const TomlNode* node = take(key);
  return node == nullptr ? fallback
                         : number_of(*node, key, 0, std::numeric_limits<double>::max(),
                                     "a number of 0 or more");
}

const TomlNode* TomlTable::table(std::string_view key) {
  const TomlNode* node = take(key);
  if (node != nullptr && node->kind != TomlNode::Kind::table) wrong_type(key, *node, "a table");
  return node;
}

std::span<const TomlNode> TomlTable::tables(std::string_view key) {
  const TomlNode* node = take(key);
  if (node == nullptr) return {};
  const bool right = node->kind == TomlNode::Kind::list &&
                     std::ranges::all_of(node->items, [](const TomlNode& item) {
                       return item.kind == TomlNode::Kind::table;
                     });
  if (!right) wrong_type(key, *node, fmt::format("tables, [[{}]]", key));
  return node->items;
}

void TomlTable::only(const std::vector<std::string>& keys) const {
  for (const auto& [key, node] : table_.members)
    if (std::ranges::find(keys, key) == keys.end())
      fail(node.line, "{}", unknown_text({"key", key, fmt::format("in {}", name_)}, keys));
}

}  // namespace weft
