#include "text_lines.hpp"

#include <algorithm>

#include "weft/base/text.hpp"

namespace weft::format {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

Line::Line(std::string_view file, std::int64_t number, std::string_view text)
    : file_(file), number_(number) {
  constexpr std::string_view kBlanks = " \t";
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(kBlanks, at);
    words_.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
}

double Line::real(std::size_t index, std::string_view what) const {
  if (index >= words_.size()) refuse("the {} is missing", what);
  const std::string_view word = words_[index];
  const auto value = number_in<double>(word);
  if (!value || !std::isfinite(*value)) refuse("'{}' is not a {}", word, what);
  return *value;
}

std::int64_t Line::integer(std::size_t index, std::int64_t low, std::int64_t high,
                           std::string_view what) const {
  if (index < words_.size())  // exactly, where it is written so
    if (const auto value = number_in<std::int64_t>(words_[index])) {
      if (*value < low || *value > high)
        refuse("{} {} is out of range ({} to {})", what, *value, low, high);
      return *value;
    }
  const double value = real(index, what);
  constexpr double kExact = 9007199254740992;  // 2^53
  if (value != std::floor(value) || std::abs(value) > kExact || value < static_cast<double>(low) ||
      value > static_cast<double>(high))
    refuse("{} {} is not a whole number from {} to {}", what, word(index), low, high);
  return static_cast<std::int64_t>(value);
}

double Line::seconds(std::size_t index) const {
  const double value = real(index, "number");
  if (value < 0) refuse("{} is below 0", word(index));
  return value;
}

std::vector<Line> first_lines(std::string_view text, std::size_t most) {
  std::vector<Line> found;
  for (std::int64_t number = 1; !text.empty() && found.size() < most; ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view whole = text.substr(0, end);
    if (whole.ends_with('\r')) whole.remove_suffix(1);
    Line line("", number, whole);
    if (line.words() > 0 && !line.word(0).starts_with('#')) found.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

}  // namespace weft::format
