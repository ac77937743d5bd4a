// Text taken apart: blanks, the parts of a list, numbers.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace weft {

/// Without blanks at both ends.
std::string_view trim(std::string_view text);

/// The parts between separators, blanks around them removed; one empty part for empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The number that the whole text is, sign included; nothing where it is none or does not fit.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace weft
