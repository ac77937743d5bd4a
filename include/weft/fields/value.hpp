// Value: what a parameter or a result of an experiment is.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "weft/base/rational.hpp"

namespace weft::fields {

/// A result: nothing (a measure that has no value here), a truth, a count, a time or rate, a text.
/// Exact fractions are texts, "15/16", as in JSON answers.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Named values; by name, so that their order never depends on anything else.
using Values = std::map<std::string, Value, std::less<>>;

/// What a user wrote, by name.
using Texts = std::map<std::string, std::string, std::less<>>;

/// Whether a measure has no value here.
inline bool is_nothing(const Value& value) {
  return std::holds_alternative<std::monostate>(value);
}

/// Counts of any width, truths, numbers and texts as they are; fractions as texts.
template <class T>
Value value_of(const T& result) {
  if constexpr (std::is_same_v<T, Rational>)
    return to_string(result);
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return std::int64_t{result};
  else
    return result;
}

/// The value, or a part of it, where there is one; else nothing.
template <class T, class Part = std::identity>
Value or_nothing(const std::optional<T>& result, Part&& part = {}) {
  if (!result) return {};
  return value_of(std::remove_cvref_t<std::invoke_result_t<Part, const T&>>(
      std::invoke(std::forward<Part>(part), *result)));
}

/// "", "true", "12", "1.5e-06" (shortest form that reads back), "15/16".
std::string to_text(const Value& value);
/// As a number, where it is one: counts, doubles and fractions; truths are 0 or 1.
std::optional<double> to_number(const Value& value);

/// A parameter as text, empty where the row has none; as a count, with what stands for none.
std::string text_in(const Values& parameters, std::string_view name);

/// In the place of an algorithm's name: the fastest at the row's size, of rows that simulate.
inline constexpr std::string_view kBest = "best";
inline bool asks_for_best(const Values& parameters) {
  return text_in(parameters, "algorithm") == kBest;
}
std::int64_t count_in(const Values& parameters, std::string_view name, std::int64_t fallback);

/// One JSON object, keys in order; doubles in the shortest form that reads back.
std::string to_json(const Values& values);
/// Reads what to_json writes. Throws InvalidInput.
Values values_from_json(std::string_view json);

}  // namespace weft::fields

namespace weft {
using fields::Texts;
using fields::Value;
using fields::Values;
}  // namespace weft
