// TableReader: takes the entries of one table of an experiment file, and refuses what is left.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/study/document.hpp"

namespace weft::study {

/// Every getter throws InvalidInput, "PATH:LINE: ...", for an entry of another type. The table
/// outlives the reader.
class TableReader {
 public:
  /// `name` is what messages call the table: "[[chart]]".
  TableReader(const Node& table, std::string name, const std::string& path);

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
  /// A list of texts, or one.
  std::vector<std::string> texts(std::string_view key);
  /// A list of scalars as texts, or one; empty where there is no entry. Throws for an empty list.
  std::vector<std::string> scalars(std::string_view key);
  bool truth_or(std::string_view key, bool fallback);
  /// Not negative.
  double number_or(std::string_view key, double fallback);
  /// A table, or null.
  const Node* table(std::string_view key);
  /// The tables of [[key]].
  std::span<const Node> tables(std::string_view key);

  /// Refuses entries that no getter asked for, naming the nearest that exists.
  void finish() const;

  /// Runs `body`; what it throws is told with the entry's place.
  template <class Body>
  void located(std::string_view key, Body body) const {
    study::located(path_, line_of(key), body);
  }

  template <class... Args>
  [[noreturn]] void fail(int line, fmt::format_string<Args...> format, Args&&... args) const {
    reject_at(path_, line, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  const Node* peek(std::string_view key) const;
  const Node* take(std::string_view key);
  [[noreturn]] void wrong_type(std::string_view key, const Node& node,
                               std::string_view right) const;

  const Node& table_;
  std::string name_;
  const std::string& path_;
  std::vector<std::string> asked_;
};

}  // namespace weft::study
