// TomlTable: takes the entries of one table of a TOML file, and refuses what is left.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/base/toml_document.hpp"

namespace weft {

/// Every getter throws InvalidInput, "PATH:LINE: ...", for an entry of another type. The table
/// outlives the reader.
class TomlTable {
 public:
  /// `name` is what messages call the table: "[[chart]]".
  TomlTable(const TomlNode& table, std::string name, const std::string& path);

  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }
  int line() const { return table_.line; }
  bool has(std::string_view key) const { return peek(key) != nullptr; }
  /// The entry's line; the table's where there is none.
  int line_of(std::string_view key) const;
  std::map<std::string, int, std::less<>> lines() const;

  /// A scalar as text; the entry is needed, and not empty.
  std::string text(std::string_view key);
  std::optional<std::string> optional_text(std::string_view key);
  std::string text_or(std::string_view key, std::string_view fallback);
  /// A text in quotes. Throws for a number.
  std::string prose_or(std::string_view key, std::string_view fallback);
  /// A list of texts, or one.
  std::vector<std::string> texts(std::string_view key);
  /// A list of scalars as texts, or one; empty where there is no entry. Throws for an empty list.
  std::vector<std::string> scalars(std::string_view key);
  bool truth_or(std::string_view key, bool fallback);
  /// A number from `least` to `most`.
  double number(std::string_view key, double least, double most);
  /// Not negative.
  double number_or(std::string_view key, double fallback);
  /// An integer from `least` to `most`.
  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most);
  std::int64_t integer_or(std::string_view key, std::int64_t least, std::int64_t most,
                          std::int64_t fallback);
  /// The same of an item of a list, which messages call `what`.
  std::int64_t integer_of(const TomlNode& node, std::string_view what, std::int64_t least,
                          std::int64_t most) const;
  /// The entry as it stands.
  const TomlNode& needed(std::string_view key);
  /// The items of a list.
  const std::vector<TomlNode>& list(std::string_view key);
  /// A table, or null.
  const TomlNode* table(std::string_view key);
  /// The tables of [[key]].
  std::span<const TomlNode> tables(std::string_view key);

  /// Refuses other entries than these, naming the nearest that exists.
  void only(const std::vector<std::string>& keys) const;
  /// Refuses entries that no getter asked for.
  void finish() const { only(asked_); }

  /// Runs `body`; what it throws is told with the entry's place.
  template <class Body>
  auto located(std::string_view key, Body body) const {
    return weft::located(path_, line_of(key), body);
  }

  template <class... Args>
  [[noreturn]] void fail(int line, fmt::format_string<Args...> format, Args&&... args) const {
    reject_at(path_, line, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  double number_of(const TomlNode& node, std::string_view key, double least, double most,
                   std::string_view right) const;
  const TomlNode* peek(std::string_view key) const;
  const TomlNode* take(std::string_view key);
  [[noreturn]] void wrong_type(std::string_view key, const TomlNode& node,
                               std::string_view right) const;

  const TomlNode& table_;
  std::string name_;
  const std::string& path_;
  std::vector<std::string> asked_;
};

}  // namespace weft
