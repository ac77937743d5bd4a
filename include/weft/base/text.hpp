// Text: taken apart into blanks, the parts of a list, numbers; things that are counted.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace weft {

/// Without blanks at both ends.
std::string_view trim(std::string_view text);

/// The parts between separators, blanks around them removed; one empty part for empty text.
std::vector<std::string_view> split(std::string_view text, char separator);
/// The parts would outlive a text that nobody keeps.
template <std::same_as<std::string> Text>
std::vector<std::string_view> split(Text&& text, char separator) = delete;

/// Removes the number that the text begins with, sign included, and returns it. Returns nothing,
/// and leaves the text, where it begins with none, or the number does not fit or is not finite.
/// `base` is that of a whole number.
template <class Number>
std::optional<Number> take_number(std::string_view& text, int base = 10) {
  Number number{};
  const char* const end = text.data() + text.size();
  std::from_chars_result read{};
  if constexpr (std::is_floating_point_v<Number>) {
    read = std::from_chars(text.data(), end, number);
    if (!std::isfinite(number)) return std::nullopt;
  } else {
    read = std::from_chars(text.data(), end, number, base);
  }
  if (read.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

/// The same number where it is all of the text, and nothing else.
template <class Number>
std::optional<Number> number_in(std::string_view text, int base = 10) {
  const auto number = take_number<Number>(text, base);
  return text.empty() ? number : std::nullopt;
}

/// The text as valid UTF-8 without control characters, for all that people or other programs read.
/// U+FFFD replaces U+FFFE, U+FFFF and each part of the text that is no UTF-8 by RFC 3629; '?'
/// replaces each control character but those in `kept`. O(length).
std::string printable(std::string_view text, std::string_view kept = "");

/// "1 link", "0 links", "2 boxes": `many` is the plural, where it is not the word with an s.
std::string counted(std::int64_t count, std::string_view what, std::string_view many = {});

}  // namespace weft
