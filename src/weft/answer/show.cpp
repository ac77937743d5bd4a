#include "weft/answer/show.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "weft/base/units.hpp"

namespace weft::answer {

namespace {

std::string show_number(double value, Unit unit) {
  if (unit == Unit::seconds) return format_seconds(value);
  if (unit == Unit::bytes_per_second) return format_rate(value);
  return fmt::format("{:.6g}", value);
}

// Counts, truths and texts, which are the same for people and programs.
template <class T>
std::string as_it_is(const T& value) {
  if constexpr (std::is_same_v<T, std::monostate>)
    return "";
  else
    return fmt::format("{}", value);
}

}  // namespace

std::string_view name_of(Unit unit) {
  switch (unit) {
    case Unit::none:
      return "";
    case Unit::seconds:
      return "s";
    case Unit::bytes:
      return "bytes";
    case Unit::bytes_per_second:
      return "bytes per second";
    case Unit::metres:
      return "metres";
    case Unit::dollars:
      return "dollars";
  }
  return "";
}

std::string show(const Rational& value) {
  if (value.is_long()) return fmt::format("{:.6g}...", value.to_double());
  return value.wide_denominator() == 1
             ? to_string(value)
             : fmt::format("{} = {:.6g}", to_string(value), value.to_double());
}

std::string show(const Value& value, Unit unit) {
  return std::visit(
      [unit](const auto& held) {
        using T = std::remove_cvref_t<decltype(held)>;
        if constexpr (std::is_same_v<T, double>)
          return show_number(held, unit);
        else if constexpr (std::is_same_v<T, Rational>)
          return show(held);
        else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>)
          return unit == Unit::bytes              ? format_size(static_cast<std::int64_t>(held))
                 : unit == Unit::bytes_per_second ? format_rate(static_cast<double>(held))
                                                  : as_it_is(held);
        else
          return as_it_is(held);
      },
      value);
}

std::string show_decimals(const Value& value, int decimals) {
  const auto* number = std::get_if<double>(&value);
  return number ? fmt::format("{:.{}f}", *number, decimals) : show(value);
}

std::string plain(const Value& value) {
  return std::visit(
      [](const auto& held) {
        using T = std::remove_cvref_t<decltype(held)>;
        if constexpr (std::is_same_v<T, double>)
          return fmt::format("{:.6g}", held);
        else if constexpr (std::is_same_v<T, Rational>)
          return to_string(held);
        else
          return as_it_is(held);
      },
      value);
}

std::string full(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "1" : "0";
  return plain(value);
}

}  // namespace weft::answer
