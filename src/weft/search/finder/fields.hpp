// The lines of the catalogue's files, field by field.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"
#include "weft/base/text.hpp"

namespace weft::search {

/// Reads the fields of lines, one after the other; a field may stand in quotes. Throws InvalidInput
/// naming the line.
class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}

  /// Goes to the next line that is no remark; says whether there is one.
  bool next_line() {
    while (!text_.empty()) {
      const std::size_t end = text_.find('\n');
      line_ = text_.substr(0, end);
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
      ++number_;
      if (!line_.empty() && !line_.starts_with('#')) return true;
    }
    return false;
  }

  std::string_view word() {
    std::size_t end = line_.find(',');
    std::string_view field = line_.substr(0, end);
    if (line_.starts_with('"')) {
      end = line_.find('"', 1);
      require(end != std::string_view::npos, "line {}: a quote is not closed", number_);
      field = line_.substr(1, end - 1);
      ++end;
    }
    line_.remove_prefix(end >= line_.size() ? line_.size() : end + 1);
    return field;
  }

  int integer() {
    const int value = number<int>(10);
    require(value >= 1, "line {}: {} is not a positive number", number_, value);
    return value;
  }
  std::uint32_t hexadecimal() { return number<std::uint32_t>(16); }
  Rational rational() { return parse_rational(word()); }
  bool at_end() const { return line_.empty(); }
  int line_number() const { return number_; }

 private:
  template <class Number>
  Number number(int base) {
    const std::string_view field = word();
    const auto value = number_in<Number>(field, base);
    require(value.has_value(), "line {}: '{}' is not a number", number_, field);
    return *value;
  }

  std::string_view text_, line_;
  int number_ = 0;
};

}  // namespace weft::search
