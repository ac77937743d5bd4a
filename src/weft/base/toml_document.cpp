#include "weft/base/toml_document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

namespace weft {

namespace {

int line_of(const toml::source_region& region) {
  return static_cast<int>(region.begin.line);
}

class Converter {
 public:
  explicit Converter(const std::string& path) : path_(path) {}

  TomlNode convert(const toml::node& node) const {
    TomlNode result;
    result.line = line_of(node.source());
    if (const auto* table = node.as_table())
      fill(*table, result);
    else if (const auto* list = node.as_array())
      fill(*list, result);
    else
      fill_scalar(node, result);
    return result;
  }

 private:
  void fill(const toml::table& table, TomlNode& result) const {
    result.kind = TomlNode::Kind::table;
    // toml++ sorts by name; the file's order is that of the axes.
    std::vector<std::pair<toml::source_position, const toml::key*>> keys;
    for (const auto& [key, value] : table) keys.emplace_back(key.source().begin, &key);
    std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first.line, a.first.column) < std::tie(b.first.line, b.first.column);
    });
    for (const auto& [position, key] : keys) {
      TomlNode value = convert(*table.get(key->str()));
      if (value.kind != TomlNode::Kind::list || value.line == 0)
        value.line = static_cast<int>(position.line);
      result.members.push_back({std::string(key->str()), std::move(value)});
    }
  }

  void fill(const toml::array& list, TomlNode& result) const {
    result.kind = TomlNode::Kind::list;
    for (const toml::node& item : list) result.items.push_back(convert(item));
  }

  void fill_scalar(const toml::node& node, TomlNode& result) const {
    if (const auto* text = node.as_string()) {
      result.kind = TomlNode::Kind::text;
      result.text = text->get();
    } else if (const auto* integer = node.as_integer()) {
      result.kind = TomlNode::Kind::number;
      result.text = fmt::format("{}", integer->get());
    } else if (const auto* number = node.as_floating_point()) {
      result.kind = TomlNode::Kind::number;
      result.text = fmt::format("{}", number->get());
    } else if (const auto* truth = node.as_boolean()) {
      result.kind = TomlNode::Kind::truth;
      result.text = truth->get() ? "true" : "false";
    } else {
      reject_at(path_, result.line, "a date or time is no value here; write a text in quotes");
    }
  }

  const std::string& path_;
};

}  // namespace

std::string_view TomlNode::kind_name() const {
  switch (kind) {
    case Kind::text:
      return "a text";
    case Kind::number:
      return "a number";
    case Kind::truth:
      return "true or false";
    case Kind::list:
      return "a list";
    case Kind::table:
      break;
  }
  return "a table";
}

void reject_at(const std::string& path, int line, std::string_view message) {
  throw InvalidInput(fmt::format("{}:{}: {}", path, line, message));
}

TomlNode parse_toml(std::string_view content, const std::string& path) {
  try {
    const toml::table table = toml::parse(content, path);
    return Converter(path).convert(table);
  } catch (const toml::parse_error& error) {
    reject_at(path, line_of(error.source()), fmt::format("no valid TOML: {}", error.description()));
  }
}

}  // namespace weft
