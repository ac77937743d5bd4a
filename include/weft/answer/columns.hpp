// Columns: answers of one type as the rows of a table, for people or as CSV, and as lines of facts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/answer/part.hpp"
#include "weft/base/error.hpp"

namespace weft::answer {

/// A part of a table of parts, by its name().
struct Column {
  std::string_view part;
  std::string_view heading = {};  // empty: its label, or its key for programs
};

enum class Reader : std::uint8_t { person, program };

struct Cells {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
};

/// The same without columns that are empty in every row.
Cells without_empty_columns(const Cells& cells);

template <class T>
const Part<T>& part_of(const Parts<T>& parts, std::string_view name) {
  const auto found =
      std::ranges::find_if(parts, [&](const Part<T>& part) { return part.text.name() == name; });
  WEFT_ASSERT(found != parts.end());
  return *found;
}

/// As people read the part; nothing where it is absent or null.
template <class T>
std::string shown(const T& answer, const Part<T>& part) {
  if (part.present && !part.present(answer)) return "";
  if (part.shown) return part.shown(answer);
  const Node node = part.value(answer);
  const auto* value = std::get_if<Value>(&node.content);
  return value ? show(*value, part.text.unit) : "";
}

/// The value of a part that is neither object nor list; null where it is absent.
template <class T>
Value value_of(const T& answer, const Part<T>& part) {
  if (part.present && !part.present(answer)) return {};
  const Node node = part.value(answer);
  const auto* value = std::get_if<Value>(&node.content);
  WEFT_ASSERT(value != nullptr);
  return *value;
}

template <class T>
Cells cells_of(std::span<const T> answers, const Parts<T>& parts, std::span<const Column> columns,
               Reader reader) {
  Cells cells;
  std::vector<const Part<T>*> chosen;
  for (const Column& column : columns) {
    const Part<T>& part = part_of(parts, column.part);
    chosen.push_back(&part);
    cells.heading.emplace_back(!column.heading.empty()    ? column.heading
                               : reader == Reader::person ? part.text.label
                                                          : part.text.key);
  }
  for (const T& answer : answers) {
    std::vector<std::string> row;
    for (const Part<T>* part : chosen)
      row.push_back(reader == Reader::person ? shown(answer, *part)
                                             : plain(value_of(answer, *part)));
    cells.rows.push_back(std::move(row));
  }
  return cells;
}

/// Label and text for people of each part that has a label and is present.
template <class T>
std::vector<std::pair<std::string, std::string>> facts_of(const T& answer, const Parts<T>& parts) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const Part<T>& part : parts)
    if (!part.text.label.empty() && (!part.present || part.present(answer)))
      facts.emplace_back(part.text.label, shown(answer, part));
  return facts;
}

}  // namespace weft::answer
