// Text: taken apart into blanks, the parts of a list, numbers; things that are counted.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
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

/// "1 link", "0 links", "2 boxes": `many` is the plural, where it is not the word with an s.
std::string counted(std::int64_t count, std::string_view what, std::string_view many = {});

}  // namespace weft
