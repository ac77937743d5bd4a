#include "weft/base/toml_document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

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
      reject_at(path_, result.line, "dates and times are not supported; write a text in quotes");
    }
  }

  const std::string& path_;
};

// Holds a text against a limit on nesting before it is parsed: the parser has one for lists and
// inline tables, but a key of many parts, a.b.c, nests as deeply without it, and each level takes a
// part of the stack. What is no valid TOML is left to the parser.
class NestingCheck {
 public:
  NestingCheck(std::string_view content, const std::string& path) : rest_(content), path_(path) {}

  void run() {
    while (!rest_.empty()) step();
  }

 private:
  static constexpr std::int64_t kDeepest = 256;

  void step() {
    const char c = rest_.front();
    if (c == '"' || c == '\'') return skip_text(c);
    if (c == '#') return take(std::min(rest_.find('\n'), rest_.size()));
    if (c == '\n') {
      if (open_.empty()) begin_line();
    } else if (c == '.') {
      ++parts_;
    } else if (c == '=') {
      in_value_ = true;
      key_ = parts_;
      parts_ = 1;
    } else if (c == '[' && open_.empty() && !in_value_) {
      in_header_ = true;  // of a table, [a.b], or of one of several, [[a.b]]
    } else if (c == '[' || c == '{') {
      open_.push_back(key_);
      around_ += key_ + 1;
      begin_item();
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      around_ -= open_.back() + 1;
      open_.pop_back();
      begin_item();
    } else if (c == ',') {
      begin_item();
    }
    if (header_ + around_ + key_ + parts_ > kDeepest)
      reject_at(path_, line_,
                fmt::format("nested deeper than {} tables and lists; use shorter keys", kDeepest));
    take(1);
  }

  void begin_item() {
    key_ = 0;
    parts_ = 1;
  }
  void begin_line() {
    if (in_header_) header_ = parts_;
    in_header_ = in_value_ = false;
    begin_item();
  }

  void take(std::size_t count) {
    line_ += static_cast<int>(std::ranges::count(rest_.substr(0, count), '\n'));
    rest_.remove_prefix(count);
  }

  // A text in three quotes spans lines; a backslash shields a quote where quotes are double.
  void skip_text(char quote) {
    const std::string three(3, quote);
    const bool is_long = rest_.starts_with(three);
    const auto end = std::string_view(three).substr(0, is_long ? 3 : 1);
    std::size_t at = end.size();
    while (at < rest_.size() && !rest_.substr(at).starts_with(end)) {
      if (!is_long && rest_[at] == '\n') return take(at);
      at += quote == '"' && rest_[at] == '\\' ? 2 : 1;
    }
    take(std::min(at + end.size(), rest_.size()));
  }

  std::string_view rest_;
  const std::string& path_;
  int line_ = 1;
  // Levels: of the table's header, of what is open around, of the key before the value.
  std::int64_t header_ = 0, around_ = 0, key_ = 0;
  std::int64_t parts_ = 1;          // of the key or header at hand
  std::vector<std::int64_t> open_;  // the key's levels of each list and inline table around
  bool in_header_ = false, in_value_ = false;
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
  NestingCheck(content, path).run();
  try {
    const toml::table table = toml::parse(content, path);
    return Converter(path).convert(table);
  } catch (const toml::parse_error& error) {
    reject_at(path, line_of(error.source()),
              fmt::format("the file is not valid TOML: {}", error.description()));
  }
}

}  // namespace weft
