// Columns of a row from the table of parts of its answer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "weft/answer/columns.hpp"
#include "weft/rows/kind.hpp"

namespace weft::rows {

/// The name of the column: its heading, else the key of its part.
inline std::string_view name_of(const answer::Column& column) {
  return column.heading.empty() ? column.part : column.heading;
}

/// Measures of the kind. Names of columns are literals, which end with a zero.
template <class T>
std::vector<Measure> measures_of(const answer::Parts<T>& parts,
                                 std::span<const answer::Column> columns) {
  std::vector<Measure> measures;
  for (const answer::Column& column : columns)
    measures.emplace_back(name_of(column).data(),
                          answer::part_of(parts, column.part).text.type == answer::Type::truth
                              ? Measure::Type::truth
                              : Measure::Type::number);
  return measures;
}

/// Values by column: nothing where the part is absent or null; fractions are texts.
template <class T>
Values values_of(const T& given, const answer::Parts<T>& parts,
                 std::span<const answer::Column> columns) {
  Values values;
  for (const answer::Column& column : columns)
    values[std::string(name_of(column))] = std::visit(
        [](const auto& value) -> Value {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::uint64_t>)
            return static_cast<std::int64_t>(value);
          else
            return fields::value_of(value);
        },
        answer::value_of(given, answer::part_of(parts, column.part)));
  return values;
}

struct ColumnMeaning {
  std::string_view column;
  std::string meaning;  // and unit
};
/// The meaning of each column, from its part.
template <class T>
std::vector<ColumnMeaning> meanings_of(const answer::Parts<T>& parts,
                                       std::span<const answer::Column> columns) {
  std::vector<ColumnMeaning> meanings;
  for (const answer::Column& column : columns)
    meanings.push_back(
        {name_of(column), answer::description_of(answer::part_of(parts, column.part).text)});
  return meanings;
}

/// Columns of the kinds that have a table of parts.
std::vector<ColumnMeaning> economics_columns();
std::vector<ColumnMeaning> find_columns();
std::vector<ColumnMeaning> load_curve_columns();
std::vector<ColumnMeaning> design_columns();
std::vector<ColumnMeaning> degrade_columns();
std::vector<ColumnMeaning> plan_columns();
std::vector<ColumnMeaning> compare_columns();
std::vector<ColumnMeaning> optimum_columns();
/// Of the numbers of a simulation, whose words for rows are in columns.cpp where they differ.
std::vector<ColumnMeaning> simulate_columns();

/// All parts of a table, under their keys.
template <class T>
std::vector<answer::Column> all_columns(const answer::Parts<T>& parts) {
  std::vector<answer::Column> columns;
  for (const answer::Part<T>& part : parts) columns.push_back({part.text.key});
  return columns;
}

}  // namespace weft::rows
